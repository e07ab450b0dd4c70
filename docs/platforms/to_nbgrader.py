"""Writes points into the gradebook of nbgrader: to_nbgrader.py gradebook.csv [gradebook.db]

gradebook.csv is what `watchlab-course gradebook` has written. Each exercise becomes an assignment with one cell. Needs `pip install nbgrader`;
afterwards `nbgrader export` writes the points with those of the notebooks."""
import csv
import sys

from nbgrader.api import Gradebook


def main(table, database="gradebook.db"):
    written = 0
    with Gradebook(f"sqlite:///{database}") as book, open(table, newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            if row["points"] == "":
                continue  # not graded yet
            exercise, student = row["exercise"], row["student"]
            book.update_or_create_assignment(exercise)
            book.update_or_create_notebook(exercise, exercise)
            book.update_or_create_grade_cell("points", exercise, exercise, max_score=float(row["max_points"]), cell_type="code")
            book.update_or_create_student(student)
            book.update_or_create_submission(exercise, student)
            grade = book.find_grade("points", exercise, exercise, student)
            grade.auto_score, grade.needs_manual_grade = float(row["points"]), False
            book.db.commit()
            written += 1
    print(f"{written} points written to {database}")


if __name__ == "__main__":
    main(*sys.argv[1:])
