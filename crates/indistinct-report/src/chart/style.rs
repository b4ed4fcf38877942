//! Colours, lines and markers, for light and dark screens and for paper.

use super::canvas::tenths;

/// Index of the palette's grey, for marks that are only there for comparison.
pub const NEUTRAL: usize = 7;

/// Blue, vermilion, green, pink, ochre, sky, indigo, grey: the hues of Okabe and Ito, moved so that each stands out
/// from the paper and from the others for readers with any of the three kinds of colour blindness.
const PALETTE: usize = 8;
const LIGHT: [&str; PALETTE] =
    ["#2565BE", "#B94A0F", "#229576", "#EA5AA2", "#BA8A1A", "#169CDC", "#412C6B", "#5D656F"];
const DARK: [&str; PALETTE] =
    ["#59AFFC", "#E57011", "#35AA73", "#C153AB", "#EBBE66", "#7CDCFE", "#8671F9", "#ABB2B8"];

/// Paper, ink, quieter ink, axes, grid, bands, and the strongest colour of heat maps, on which ink is read: light
/// and dark.
const SURFACES: [(&str, &str, &str); 7] = [
    ("paper", "#FFFFFF", "#14181D"),
    ("ink", "#1F2328", "#E6EAEF"),
    ("soft", "#57606A", "#A3ADB8"),
    ("axis", "#8C959F", "#6B7580"),
    ("grid", "#E4E8EC", "#2A313A"),
    ("band", "#F4F6F8", "#1B2128"),
    ("heat", "#5B8FDB", "#2968AE"),
];

const COLOURS: [&str; PALETTE] = ["ic-c0", "ic-c1", "ic-c2", "ic-c3", "ic-c4", "ic-c5", "ic-c6", "ic-c7"];
const LINES: [&str; 3] = ["ic-line", "ic-line ic-dashed", "ic-line ic-dotted"];

/// Half the size of a marker.
pub(super) const MARKER: f64 = 3.2;

/// The look of a series: its colour, and where that is taken its line and marker too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    slot: usize,
    /// Number of earlier series with the same colour.
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

/// The style sheet of all charts, which a page with [inline charts](super::Chart::to_inline_svg) has once.
/// Colours are stated twice: programs that do not know custom properties use the first.
pub fn sheet() -> String {
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
    let soft_colour = surface("color", "soft");
    let heat = surface("fill", "heat");
    let (band, ground) = (surface("fill", "band"), surface("background", "paper"));
    sheet + &format!(
        "\
.ic-chart text{{font:400 11.5px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;\
font-variant-numeric:tabular-nums;{ink}}}
.ic-chart path{{fill:none}}
.ic-paper{{{paper}}}
.ic-chart:root{{{ground}}}
.ic-chart .ic-title{{font-size:15px;font-weight:600}}
.ic-chart .ic-heading{{font-size:12px;font-weight:600}}
.ic-chart .ic-tick{{{soft};{soft_colour}}}
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
.ic-solid{{fill:currentColor;{halo};stroke-width:.5}}
.ic-tile{{fill:currentColor}}
.ic-heat{{{heat}}}
.ic-chart .ic-small{{font-size:10px}}
.ic-chart .ic-strong{{font-weight:600}}
.ic-node{{{paper};{axis}}}
.ic-chart .ic-branch{{{axis}}}
.ic-box{{fill:currentColor;fill-opacity:.28;stroke:currentColor}}
.ic-chart .ic-reach{{{inked};stroke-width:1.6}}
.ic-chart .ic-whisker{{stroke:currentColor}}
.ic-chart .ic-median{{stroke:currentColor;stroke-width:2.4}}
.ic-chart .ic-mean{{{paper};stroke:currentColor;stroke-width:1.1}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// WCAG's contrast ratio.
    fn contrast(a: &str, b: &str) -> f64 {
        let luminance = |colour| {
            let [r, g, b] = linear(colour);
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (a, b): (f64, f64) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    /// Oklab, in which equal distances look about equal; 0.01 can just be seen.
    fn oklab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }

    /// Matrices of normal sight, and of sight without red, green or blue cones (Machado, Oliveira and Fernandes
    /// 2009).
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];

    #[test]
    fn everything_stands_out_from_the_paper() {
        let [paper, ink, soft, axis, _, _, heat] = SURFACES;
        for (palette, of) in [
            (LIGHT, (|s| s.1) as fn((&'static str, &'static str, &'static str)) -> &'static str),
            (DARK, |s| s.2),
        ] {
            assert!(palette.iter().all(|colour| contrast(colour, of(paper)) >= 3.0));
            assert!(contrast(of(ink), of(paper)) >= 7.0 && contrast(of(soft), of(paper)) >= 4.5);
            assert!(contrast(of(axis), of(paper)) >= 3.0);
            assert!(contrast(of(ink), of(heat)) >= 4.5 && contrast(of(heat), of(paper)) >= 3.0);
        }
    }

    #[test]
    fn colours_differ_for_every_eye() {
        for palette in [LIGHT, DARK] {
            for eye in EYES {
                let seen = palette.map(|colour| {
                    let rgb = linear(colour);
                    oklab(eye.map(|row| row.iter().zip(rgb).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0)))
                });
                for (place, a) in seen.iter().enumerate() {
                    for b in &seen[..place] {
                        let distance = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                        assert!(distance >= 0.07, "{place} {distance} {eye:?}");
                    }
                }
            }
        }
    }
}
