# The template of a CodeRunner question type. Set: language python3, "is combinator", grading "template grader".
# The Jobe server that runs it has a checkout in /opt/watchlab, in which `./watchlab course dev check E01t --seeds 3` ran.
import json
import os
import subprocess
import tempfile

EXERCISE = "E01t"
FILE = "store_test.cpp"
COURSE = os.environ.get("WATCHLAB_COURSE", "/opt/watchlab/build/release/exercises/grader/watchlab-course")
ANSWER = """{{ STUDENT_ANSWER | e('py') }}"""

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, FILE), "w", encoding="utf-8") as out:
        out.write(ANSWER)
    done = subprocess.run([COURSE, "grade", EXERCISE, "--submission", folder, "--format", "coderunner"],
                          capture_output=True, text=True, check=False)
if done.returncode == 0:
    print(done.stdout, end="")
else:
    print(json.dumps({"fraction": 0, "prologuehtml": "<p>Your answer could not be graded. Nothing is lost; please tell your teacher.</p>"}))
