//! Results as CSV, for whoever wants to draw or test something else.

use std::fmt::Display;

use crate::intervals::Estimate;
use crate::regression::Errors;
use crate::table1::Table1;
use crate::table2::Table2;
use indistinct_report::chart::BoxSummary;

/// Table 1, a line for every discriminator.
pub fn table1(table: &Table1) -> String {
    let mut text = String::from(
        "discriminator,quality,cp,depth,simulations,over_1_n,percent,percent_low,percent_high,over_1_2n,largest,paper_percent\n",
    );
    for row in table.rows() {
        let Estimate { value, low, high } = row.percent();
        text += &line(&[
            &quoted(&row.discriminator),
            &row.quality,
            &shown(row.cp),
            &shown(row.depth),
            &row.simulations,
            &row.over_paper,
            &value,
            &low,
            &high,
            &row.over_tight,
            &row.largest,
            &shown(row.paper_percent),
        ]);
    }
    text
}

/// Table 2, a line for every method and epsilon.
pub fn table2(table: &Table2) -> String {
    let mut text = String::from(
        "method,setting,guarantee,epsilon,simulations,mean,mean_low,mean_high,variance,paper_mean,paper_variance\n",
    );
    for (method, cell) in table
        .lines
        .iter()
        .chain(&table.variants)
        .flat_map(|line| line.cells.iter().map(move |cell| (line.method, cell)))
    {
        let Estimate { value, low, high } = cell.mean;
        text += &line(&[
            &quoted(method.family()),
            &method.setting(),
            &quoted(method.guarantee()),
            &cell.epsilon,
            &cell.simulations,
            &value,
            &low,
            &high,
            &cell.variance,
            &shown(cell.paper.map(|paper| paper.0)),
            &shown(cell.paper.map(|paper| paper.1)),
        ]);
    }
    text
}

/// The regression study, a line for every method, epsilon and coefficient.
pub fn regression(errors: &[Errors]) -> String {
    let mut text = String::from(
        "method,setting,guarantee,epsilon,coefficient,simulations,mean,mean_low,mean_high,first_quartile,median,third_quartile\n",
    );
    for errors in errors {
        for (coefficient, values) in [("intercept", &errors.intercepts), ("slope", &errors.slopes)] {
            let Estimate { value, low, high } = Estimate::mean(values);
            let quartiles = BoxSummary::of(0.0, values);
            text += &line(&[
                &quoted(errors.method.family()),
                &errors.method.setting(),
                &quoted(errors.method.guarantee()),
                &errors.epsilon,
                &coefficient,
                &values.len(),
                &value,
                &low,
                &high,
                &shown(quartiles.as_ref().map(|summary| summary.first)),
                &shown(quartiles.as_ref().map(|summary| summary.median)),
                &shown(quartiles.as_ref().map(|summary| summary.third)),
            ]);
        }
    }
    text
}

fn line(fields: &[&dyn Display]) -> String {
    let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
    fields.join(",") + "\n"
}

fn quoted(text: &str) -> String {
    if text.contains(',') { format!("\"{text}\"") } else { text.to_owned() }
}

fn shown<T: Display>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
