//! Colours, lines and markers, for light and dark screens and for paper.

use super::canvas::tenths;

/// Index of the palette's grey, for what is only there to compare with.
pub const NEUTRAL: usize = 7;

/// Blue, vermilion, green, purple, ochre, sky, indigo, grey: the hues of Okabe and Ito, moved so that each stands out
/// from the paper and from the others for readers with any of the three kinds of colour blindness.
const PALETTE: usize = 8;
const LIGHT: [&str; PALETTE] =
    ["#2565BE", "#B94A0F", "#229576", "#EA5AA2", "#BA8A1A", "#169CDC", "#412C6B", "#5D656F"];
const DARK: [&str; PALETTE] =
    ["#59AFFC", "#E57011", "#35AA73", "#FC7ABC", "#EBBE66", "#7CDCFE", "#8671F9", "#707983"];

/// Paper, ink, quieter ink, axes, grid, bands: light and dark.
const SURFACES: [(&str, &str, &str); 6] = [
    ("paper", "#FFFFFF", "#14181D"),
    ("ink", "#1F2328", "#E6EAEF"),
    ("soft", "#57606A", "#A3ADB8"),
    ("axis", "#8C959F", "#6B7580"),
    ("grid", "#E4E8EC", "#2A313A"),
    ("band", "#F4F6F8", "#1B2128"),
];

const COLOURS: [&str; PALETTE] = ["ic-c0", "ic-c1", "ic-c2", "ic-c3", "ic-c4", "ic-c5", "ic-c6", "ic-c7"];
const LINES: [&str; 3] = ["ic-line", "ic-line ic-dashed", "ic-line ic-dotted"];

/// Half the size of a marker.
pub(super) const MARKER: f64 = 3.2;

/// How a series is told from others: by colour, and where that is taken by line and marker too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    slot: usize,
    /// How many series had the colour before.
    variant: usize,
}

impl Look {
    pub(super) fn new(colour: usize, variant: usize) -> Self {
        Self { slot: colour % PALETTE, variant }
    }

    pub(super) fn same_colour(self, colour: usize) -> bool {
        self.slot == colour % PALETTE
    }

    pub(super) fn class(self) -> &'static str {
        COLOURS[self.slot]
    }

    pub(super) fn line_class(self) -> &'static str {
        LINES[self.variant % LINES.len()]
    }

    pub(super) fn marker_class(self) -> &'static str {
        if self.variant.is_multiple_of(2) { "ic-marker" } else { "ic-marker ic-open" }
    }

    /// The outline of the marker around a point.
    pub(super) fn marker(self, x: f64, y: f64) -> String {
        let r = MARKER;
        // Equal areas look equally large.
        let corners: &[(f64, f64)] = match (self.slot + self.variant) % 5 {
            0 => {
                let (d, r) = (tenths(2.0 * r), tenths(r));
                let (start, y) = (tenths(x - MARKER), tenths(y));
                return format!("M{start} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z");
            }
            1 => &[(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)],
            2 => &[(0.0, -1.15), (1.15, 0.88), (-1.15, 0.88)],
            3 => &[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)],
            _ => &[(0.0, 1.15), (1.15, -0.88), (-1.15, -0.88)],
        };
        let corner = |&(dx, dy): &(f64, f64)| format!("{} {}", tenths(x + dx * r), tenths(y + dy * r));
        format!("M{}z", corners.iter().map(corner).collect::<Vec<_>>().join("L"))
    }
}

/// The style sheet. Colours are said twice: programs that do not know custom properties use the first.
pub(super) fn sheet() -> String {
    let properties = |dark: bool| {
        let palette = LIGHT.iter().zip(DARK).enumerate();
        let palette =
            palette.map(|(k, (light, night))| format!("--ic-{k}:{};", if dark { night } else { light }));
        let surfaces = SURFACES
            .iter()
            .map(|(name, light, night)| format!("--ic-{name}:{};", if dark { night } else { light }));
        surfaces.chain(palette).collect::<String>()
    };
    let surface = |property: &str, name: &str| {
        let light = SURFACES.iter().find(|surface| surface.0 == name).map_or("#000", |surface| surface.1);
        format!("{property}:{light};{property}:var(--ic-{name})")
    };
    let mut sheet = format!(".ic-chart{{{}max-width:100%;height:auto}}\n", properties(false));
    // Only screens: paper is white even for those who read in the dark.
    sheet += &format!("@media screen and (prefers-color-scheme:dark){{.ic-chart{{{}}}}}\n", properties(true));
    for (k, light) in LIGHT.iter().enumerate() {
        sheet += &format!(".ic-c{k}{{color:{light};color:var(--ic-{k})}}\n");
    }
    let (paper, ink, soft) = (surface("fill", "paper"), surface("fill", "ink"), surface("fill", "soft"));
    let (halo, inked, axis, grid) = (
        surface("stroke", "paper"),
        surface("stroke", "ink"),
        surface("stroke", "axis"),
        surface("stroke", "grid"),
    );
    let band = surface("fill", "band");
    sheet + &format!(
        "\
.ic-chart text{{font:400 11.5px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;\
font-variant-numeric:tabular-nums;{ink}}}
.ic-chart path{{fill:none}}
.ic-paper{{{paper}}}
.ic-chart .ic-title{{font-size:15px;font-weight:600}}
.ic-chart .ic-heading{{font-size:12px;font-weight:600}}
.ic-chart .ic-tick{{{soft}}}
.ic-chart .ic-end{{text-anchor:end}}
.ic-chart .ic-middle{{text-anchor:middle}}
.ic-chart .ic-grid{{{grid}}}
.ic-chart .ic-axis{{{axis}}}
.ic-band{{{band}}}
.ic-chart .ic-reference{{{inked};stroke-dasharray:4 3;stroke-width:.9;opacity:.8}}
.ic-chart .ic-leader{{stroke:currentColor;stroke-width:.8;opacity:.6}}
.ic-chart .ic-line{{stroke:currentColor;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}}
.ic-chart .ic-dashed{{stroke-dasharray:5 4}}
.ic-chart .ic-dotted{{stroke-dasharray:.1 4}}
.ic-chart .ic-bar{{stroke:currentColor;stroke-width:1.3;opacity:.7}}
.ic-chart .ic-marker{{fill:currentColor;{halo};stroke-width:.9;paint-order:stroke}}
.ic-chart .ic-open{{{paper};stroke:currentColor;stroke-width:1.3;paint-order:normal}}
.ic-dots{{stroke:currentColor;stroke-linecap:round}}
.ic-box{{fill:currentColor;fill-opacity:.28;stroke:currentColor}}
.ic-chart .ic-whisker{{stroke:currentColor}}
.ic-chart .ic-median{{stroke:currentColor;stroke-width:2.4}}
.ic-chart .ic-mean{{{paper};stroke:currentColor;stroke-width:1.1}}
"
    )
}
