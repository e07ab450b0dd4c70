"""What a result must not show, whatever a submission has tried."""

import json
import re

SECRET = "WATCHLAB_ATTACK_SECRET"  # in the grader's environment
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufffe\uffff]")


def wrong_with(play, printed, text, honest, mark):
    """What is wrong with a result, a message each, and its points. `honest` are those of the starter."""
    if text is None:
        return ["there is no result"], 0.0
    try:
        result = json.loads(text.decode())
        points = float(result["score"])
    except (ValueError, KeyError, TypeError) as broken:
        return [f"the result cannot be read: {broken}"], 0.0
    problems = [] if points <= honest else [f"it got {points:g} points, the starter gets {honest:g}"]
    shown = "\n".join(strings_of(result))  # as a platform shows it, not as JSON writes it
    if CONTROL.search(shown) or is_no_text(printed):
        problems.append("what is shown has control characters, or bytes that are no text")
    return problems + leaks_of(play, shown + "\n" + printed.decode(errors="replace"), mark), points


def is_no_text(printed):
    """Whether a terminal got bytes that are no text, or that it obeys."""
    return re.search("[\x1b\x07\udc80-\udcff]", printed.decode(errors="surrogateescape")) is not None


def leaks_of(play, words, mark):
    """What the words tell that they must not, or do not tell that they must."""
    problems = [line for line in words.splitlines() if f"gained-{mark}" in line][:1]
    if f"{SECRET}-{mark}" in words:
        problems.append("the grader's environment is shown")
    # An attack may know the name of one hidden file, and what it says itself is no news.
    names = [name for name in sorted(play.exercise.hidden_words() - {play.exercise.hidden.stem})
             if re.search(rf"\b{name}\b", words)]
    lines = [line for line in sorted(play.exercise.hidden_lines()) if line in words]
    problems += [f"hidden names are shown: {', '.join(names)}"] if names else []
    problems += [f"hidden lines are shown: {lines[0]}"] if lines else []
    says = play.attack.says if play.attack and play.attack.wall in words else ""
    if says and not any(said in words for said in says.split(" | ")):
        problems.append(f"it does not say '{says}'")
    return problems


def strings_of(value):
    """All texts of a JSON value."""
    if isinstance(value, dict):
        return [text for item in value.items() for part in item for text in strings_of(part)]
    if isinstance(value, list):
        return [text for part in value for text in strings_of(part)]
    return [value] if isinstance(value, str) else []
