"""Returns points to an LMS by LTI 1.3 (Assignment and Grade Services): to_lti.py tool.json gradebook.csv EXERCISE

gradebook.csv is what `watchlab-course gradebook` has written. tool.json describes the tool as it is registered at the LMS:
  {"issuer": "https://lms.example", "client_id": "...", "token_url": "https://lms.example/token", "key": "private.pem",
   "line_item": "https://lms.example/.../lineitems/7", "users": {"ada": "the LMS's id of Ada"}}
Needs `pip install PyLTI1p3`. Points that are empty are not sent, so that nobody gets a zero for what is not graded."""
import csv
import datetime
import json
import sys

from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.grade import Grade
from pylti1p3.registration import Registration
from pylti1p3.service_connector import ServiceConnector

SCORES = "https://purl.imsglobal.org/spec/lti-ags/scope/score"


def service_of(tool):
    with open(tool["key"], encoding="utf-8") as key:
        registration = Registration().set_issuer(tool["issuer"]).set_client_id(tool["client_id"])
        registration.set_auth_token_url(tool["token_url"]).set_tool_private_key(key.read())
    return AssignmentsGradesService(ServiceConnector(registration), {"scope": [SCORES], "lineitem": tool["line_item"]})


def main(tool_file, table, exercise):
    with open(tool_file, encoding="utf-8") as file:
        tool = json.load(file)
    service = service_of(tool)
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    sent = 0
    with open(table, newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            if row["exercise"] != exercise or row["points"] == "":
                continue
            if row["student"] not in tool["users"]:
                sys.exit(f"{tool_file}: users lacks {row['student']}")
            grade = Grade().set_score_given(float(row["points"])).set_score_maximum(float(row["max_points"]))
            grade.set_timestamp(now).set_activity_progress("Completed").set_grading_progress("FullyGraded")
            service.put_grade(grade.set_user_id(tool["users"][row["student"]]).set_comment(row.get("override") or None))
            sent += 1
    print(f"{sent} points sent for {exercise}")


if __name__ == "__main__":
    main(*sys.argv[1:])
