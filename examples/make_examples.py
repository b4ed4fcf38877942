#!/usr/bin/env python3
"""Makes the example tables: invented patients, a synthetic copy that somebody might have made of them, and invented
measurements, all of them numbers.

    python3 examples/make_examples.py

No real person is in them. Only the standard library is used, with a fixed seed, so that the files come out the same.
"""

import csv
import datetime
import math
import pathlib
import random

ROWS = 1000
FOLDER = pathlib.Path(__file__).parent
HEADER = ["age", "sex", "region", "education", "smoker", "bmi", "systolic", "visits", "income", "admitted"]
REGIONS = ["north", "east", "south", "west"]
EDUCATION = ["primary", "secondary", "tertiary"]
FIRST_DAY = datetime.date(2024, 1, 1)


def patient(rng, dependence):
    """One invented patient; `dependence` scales how much the columns know of each other."""
    age = min(95, max(18, round(rng.gauss(52, 17))))
    centred = dependence * (age - 52)
    sex = rng.choice("FM")
    region = rng.choices(REGIONS, [4, 3, 2, 1])[0]
    education = rng.choices(EDUCATION, [3 + max(0, 0.05 * centred), 5, 3 + max(0, -0.05 * centred)])[0]
    smoker = rng.random() < 0.22 - 0.002 * centred
    bmi = rng.gauss(26 + 0.03 * centred + (0.8 * dependence if sex == "M" else 0), 4)
    systolic = round(rng.gauss(124 + 0.45 * centred + 0.6 * dependence * (bmi - 26) + 4 * dependence * smoker, 12))
    visits = rng.choices(range(10), [math.exp(-k / (1.5 + max(0, 0.03 * centred))) for k in range(10)])[0]
    school = dependence * EDUCATION.index(education)
    income = "NA" if rng.random() < 0.08 else round(math.exp(rng.gauss(10 + 0.3 * school - 0.004 * abs(centred), 0.5)), -2)
    admitted = FIRST_DAY + datetime.timedelta(days=rng.randrange(366))
    return [age, sex, region, education, "yes" if smoker else "no", f"{bmi:.1f}", systolic, visits,
            income if income == "NA" else int(income), admitted.isoformat()]


def write(name, seed, dependence):
    rng = random.Random(seed)
    with open(FOLDER / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(patient(rng, dependence) for _ in range(ROWS))


def write_measurements(name, seed, rows):
    """Height, weight, blood pressure and heart rate of invented adults."""
    rng = random.Random(seed)
    with open(FOLDER / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["height", "weight", "systolic", "pulse"])
        for _ in range(rows):
            height = rng.gauss(171, 9)
            weight = rng.gauss(73 + 0.9 * (height - 171), 11)
            systolic = round(rng.gauss(122 + 0.5 * (weight - 73), 13))
            pulse = round(rng.gauss(70 + 0.1 * (systolic - 122), 9))
            writer.writerow([f"{height:.1f}", f"{weight:.1f}", systolic, pulse])


if __name__ == "__main__":
    write("patients.csv", 1, dependence=1.0)
    write("patients-synthetic.csv", 2, dependence=0.6)
    write_measurements("measurements.csv", 3, rows=4000)
