"""Says which differences count where no program makes the calls: what nobody means shows nothing."""

from __future__ import annotations

import itertools
import re
from typing import Any, Collection, Dict, List, Mapping, Optional, Tuple

from tfxla_lint.verify.worker.attempts import CALLS, Plan, attempt_with, has_nan, loaded
from tfxla_lint.verify.worker.bench import Bench, Unsuitable
from tfxla_lint.verify.worker.calling import Pair, in_graphs
from tfxla_lint.verify.worker.comparing import Comparison, Difference
from tfxla_lint.verify.worker.further import (
    NAN,
    NO_ROWS,
    TIES,
    arrays_for_lists,
    fewer_dimensions,
    infinite_choice,
    near_choice,
    odd_count,
    one_of_rows,
    whole_choice,
    whole_choices,
)
from tfxla_lint.verify.worker.guessing import Choice
from tfxla_lint.verify.worker.outcomes import Outcome, differences
from tfxla_lint.verify.worker.power import TooLong
from tfxla_lint.verify.worker.search import ACCEPTED, Search
from tfxla_lint.verify.worker.settling import Found, joined, odd_words
from tfxla_lint.verify.worker.sides import Side

#: So many arguments are tried to find others, and of those that are accepted so many are compared.
_COLLECTED, _OTHERS = 40, 12
#: How an operation says that it takes nothing of a dtype, whatever comes with it.
_OF_NO_DTYPE = re.compile("not in (the )?list of allowed values")


def without_odd(
    pair: Pair, before: Outcome, after: Outcome, comparison: Comparison, found: Found
) -> Tuple[Outcome, Outcome, Comparison, Found, str]:
    """The calls without those whose difference shows nothing, and what to say of these.

    Nobody passes no rows to what has no lines of its own for that. That NaN is neither greater
    nor less than anything shows nothing, where with infinity in its place both give the same.
    """
    words: List[str] = []
    while found:
        number = _call_of(found[0])
        plan = pair.plans[number] if number in range(len(pair.plans)) else {}
        if plan.get("is_empty"):
            lost, word = [plan], NO_ROWS
        elif pair.job.get("open_ties") and (plan.get("is_tied") or _is_zero(plan)):
            lost = [p for p in pair.plans if p.get("is_tied") or _is_zero(p)]
            word = TIES
        elif _is_nan(plan) and not pair.job.get("asks_nan") and _is_only_nan(pair):
            lost, word = [p for p in pair.plans if _is_nan(p)], NAN
        else:
            break
        words.append(word)
        pair.plans = [p for p in pair.plans if not any(p is other for other in lost)]
        before, after = pair.both(pair.is_timed)
        found = differences(before, after, comparison := pair.comparison())
    return before, after, comparison, found, odd_words(words)


def nearby(pair: Pair, before: Outcome, after: Outcome) -> Tuple[Outcome, Outcome, Found]:
    """Calls with values that are nearly nothing from the first on, where these differ.

    What is kept of larger ones would hide a number that is as small.
    """
    known = pair.plans[0]["choice"]
    near = near_choice(known)
    if near == known:
        return before, after, []
    plans: List[Plan] = [{"choice": near}] * CALLS
    both = pair.both_with(plans)
    found = [] if any(both[0].errors) else differences(*both, pair.comparison())
    if not found:
        return before, after, []
    pair.plans = plans
    return (*both, found)


def is_only_eager(pair: Pair, before: Outcome, found: Found) -> bool:
    """Whether only calls without values differ, and not where the rewritten code runs eagerly.

    TensorFlow itself does other things there in graphs.
    """
    first = before.bare_from
    if not first or not all(_call_of(d) >= first for d in found):
        return False
    eager = pair.run(Side(pair.job, pair.job["sides"][1], eager=True))
    return not differences(before, eager, pair.comparison())


def is_only(pair: Pair, kind: str, found: Found) -> bool:
    """Whether only calls of a kind differ that nobody says to be meant.

    Their arguments have a dimension more than the first ones, or what no code sets is set.
    """
    those = {n for n, plan in enumerate(pair.plans) if plan.get(kind)}
    if not those & {_call_of(d) for d in found}:
        return False
    plans = pair.plans
    pair.plans = [plan for n, plan in enumerate(plans) if n not in those]
    before, after = pair.both()
    left = differences(before, after, comparison := pair.comparison())
    # Of what is left some may show nothing, either, or hang on NaN that nothing speaks of.
    rest = without_odd(pair, before, after, comparison, left)[3]
    is_so = not rest or is_of_nan(pair, rest)
    # What was found tells the places of calls among all of them.
    pair.plans = pair.plans if is_so else plans
    return is_so


def is_kept(pair: Pair, before: Outcome, plans: List[Plan]) -> bool:
    """Whether all is the same where the rewritten code runs eagerly: it is a trace that keeps what it read."""
    kept, pair.plans = pair.plans, plans
    try:
        eager = pair.run(Side(pair.job, pair.job["sides"][1], eager=True))
        return not differences(before, eager, pair.comparison())
    finally:
        pair.plans = kept


def is_of_nan(pair: Pair, found: Found, left_out: Collection[str] = ()) -> bool:
    """Whether only calls differ that are passed NaN, of which neither version speaks, nor hides it.

    Where one does, it is NaN in several arguments at once that goes further: by what hides one of them
    nobody need mean the others, while with each alone both give the same. Places that hang on the
    last digit were left out before.
    """
    is_asked = bool(pair.job.get("asks_nan"))
    if pair.job.get("hides_less"):
        return False
    counts = [_nan_count(plan) for plan in pair.plans]
    least = 2 if is_asked else 1
    # What variables hold in the end comes of all calls.
    numbers = {_call_of(d) for d in found} - {-1}
    if not numbers or not all(counts[n] >= least for n in numbers):
        return False
    if is_asked and (1 not in counts or not all(d.after.startswith("nan") for d in found)):
        return False
    others = [plan for plan, count in zip(pair.plans, counts) if count < least]
    left = differences(*pair.both_with(others), pair.comparison(goes_on=True))
    return all(difference.place in left_out for difference in left)


def are_poisoned(before: Outcome, found: Found) -> bool:
    """Whether the original, too, gives NaN in each call that differs."""
    numbers = {_call_of(d) for d in found} - {-1}
    return bool(numbers) and all(has_nan(before.results[n]) for n in numbers)


def are_places(found: Found) -> bool:
    """Whether all that differs are whole numbers: which of several is the nearest to NaN, or how many are
    below it, nobody says."""
    return all(_PLACE.match(d.before) and _PLACE.match(d.after) for d in found)


def without_nan(plans: List[Plan]) -> List[Plan]:
    """The calls that are passed no NaN."""
    return [plan for plan in plans if not _is_nan(plan)]


def as_keras_does(pair: Pair, after: Outcome, found: Found, note: str) -> Tuple[Found, str]:
    """The differences from the original as `fit` runs it: traced, where that works."""
    try:
        traced = pair.run(pair.original, wrap=in_graphs())
    except Unsuitable:
        return found, note
    if any(traced.errors):
        return found, note
    note = joined(note, "compared with the original traced, as Keras runs it")
    return differences(traced, after, pair.comparison(goes_on=True)), note


def other_choice(pair: Pair, found: Found) -> Optional[Dict[str, Any]]:
    """Arguments of other shapes or kinds of which both versions make the same, where only shapes differ,
    or these or kinds are refused, and nobody says that those are meant.

    Where values differ, what is in lists may be meant to have fewer dimensions.
    """
    job = pair.job
    if job.get("declared") or job.get("passed") or "choice" not in pair.plans[0]:
        return None
    # Whoever passes what may be left out means it.
    told = {p["name"] for p in job["parameters"] if p.get("documented") or p.get("default")}
    is_told = bool(told)
    if any(p.get("default") for p in job["parameters"]) and any(d.kind == "shape" for d in found):
        return None
    known = pair.plans[0]["choice"]
    smaller = list(fewer_dimensions(known)) if not is_told else []
    is_open = all(d.kind == "shape" or is_taken_back(d) for d in found)
    if all(d.kind == "dtype" for d in found):
        # Of which dtype arrays are meant to be nobody says.
        return _of_whole_numbers(pair, known)
    if not is_open and not (smaller and all(d.kind == "value" for d in found)):
        return None
    if not is_open and min(map(_call_of, found)) >= CALLS:
        # With arguments of the same shapes both give the same.
        return None
    taken: Dict[str, Dict[str, Any]] = {_form(known): known}
    usual = _form({n: known[n] for n in told if n in known})
    bases = [known]
    if any(map(_is_of_no_dtype, found)):
        bases += whole_choices(known)
    others = bases[1:] + [c for base in bases if is_open for c in one_of_rows(base, told)]
    if is_open:
        smaller += [_with_fewer(known, [name]) for name in known if _rank(known[name]) > 1]
        smaller.append(_with_fewer(known, [name for name in known if name not in told]))
    smaller += arrays_for_lists(known) if is_open else []
    with loaded(job, pair.original) as (module, _):
        bench = Bench(job, pair.original, module)
        # Where only NaN was found with the first ones, others may give it as well.
        accepted = {*ACCEPTED, attempt_with(bench, known, calls=1)[0]}

        def collect(choice: Dict[str, Any]) -> Tuple[str, str, int]:
            answer = attempt_with(bench, choice, calls=1)
            if answer[0] not in accepted:
                return answer
            taken.setdefault(_form(choice), choice)
            return TooLong.__name__, "", 0

        for choice in smaller:
            collect(choice)
        # What the rewritten version does with them says what is meant, too.
        for parameters in [job["parameters"], job.get("after")] if is_open else []:
            if parameters:
                own = {**job, "parameters": parameters}
                Search(own, module.__dict__, _COLLECTED).run(collect)
        first = list(taken.values())[1 : _OTHERS + 1]
        for choice in others:
            collect(choice)
    kept = [*first, *_taken_by_both(pair, [c for c in taken.values() if c not in first][1:])]
    if any(d.kind == "shape" for d in found):
        # What is told is meant.
        kept = [c for c in kept if _form({n: c[n] for n in told if n in c}) == usual]
    if any(d.kind == "exception" for d in found):
        theirs = _taken_after(pair)
        kept += [theirs] if theirs is not None else []
    for choice in kept:
        both = pair.both_with([{"choice": choice}] * CALLS)
        if not any(both[0].errors) and not differences(*both, pair.comparison()):
            return choice
    return None


def _with_fewer(choice: Choice, names: Collection[str]) -> Choice:
    """The choice with one row in the place of each of some arrays of several dimensions."""
    rows = {
        name: {**spec, "shape": spec["shape"][1:]}
        for name, spec in choice.items()
        if name in names and _rank(spec) > 1
    }
    return {**choice, **rows}


def _rank(spec: Mapping[str, Any]) -> int:
    return len(spec.get("shape", ()))


def _of_whole_numbers(pair: Pair, known: Choice) -> Optional[Choice]:
    """Arguments of whole numbers of which both versions make the same, where floats were only guessed."""
    told = {p["name"] for p in pair.job["parameters"] if p.get("spec") or p.get("documented")}
    choice = whole_choice(known, told)
    if choice == known:
        return None
    both = pair.both_with([{"choice": choice}] * CALLS)
    is_same = not any(both[0].errors) and not differences(*both, pair.comparison())
    return choice if is_same else None


def _taken_after(pair: Pair) -> Optional[Choice]:
    """Arguments that the rewritten version takes, as far as a search finds some."""
    job, side = pair.job, pair.rewritten
    with loaded(job, side) as (module, _):
        bench = Bench(job, side, module)
        own = {**job, "parameters": job.get("after") or job["parameters"]}
        return Search(own, module.__dict__).run(lambda c: attempt_with(bench, c, calls=1))


def _taken_by_both(pair: Pair, choices: List[Choice]) -> List[Choice]:
    """The first of some choices that the original takes which the rewritten version takes, too."""
    if not choices:
        return []
    with loaded(pair.job, pair.rewritten) as (module, _):
        bench = Bench(pair.job, pair.rewritten, module)
        taken = (c for c in choices if attempt_with(bench, c, calls=1)[0] in ACCEPTED)
        return list(itertools.islice(taken, _OTHERS))


def _is_of_no_dtype(difference: Difference) -> bool:
    """Whether an operation of the rewritten version takes nothing of a dtype."""
    return difference.kind == "exception" and bool(_OF_NO_DTYPE.search(difference.after))


def is_out_of_place(pair: Pair, refused: Difference) -> bool:
    """Whether nobody says that arguments are meant which the rewritten version refuses.

    With others both agree: those of the first calls, or some that a further search finds. Where it
    finds none that the rewritten version takes, nobody can tell.
    """
    if pair.job.get("declared"):
        return False
    if _call_of(refused) >= CALLS:
        return refused.is_refusal or refused.is_foreign
    if not (refused.is_refusal or refused.is_of_kind):
        return False
    if _is_of_no_dtype(refused):
        # Others were looked for before, which both take.
        return True
    choice = _taken_after(pair)
    if choice is None:
        return refused.is_refusal
    pair.plans = [{"choice": choice} for _ in range(CALLS)]
    both = pair.both()
    if any(both[0].errors):
        # Where each takes objects of a kind that the other does not, either may be meant.
        return refused.is_of_kind
    return not differences(*both, pair.comparison())


def _is_only_nan(pair: Pair) -> bool:
    """Whether all is the same with infinity in the place of NaN.

    It is in as few arguments at once as may be: infinities make NaN of each other.
    """
    plans = pair.plans
    counts = [odd_count(p["choice"]) for p in plans if _is_nan(p)]
    least = min(filter(None, counts), default=0)
    infinite = [
        {**p, "choice": infinite_choice(p["choice"])} if _is_nan(p) else p
        for p in plans
        if not _is_nan(p) or odd_count(p["choice"]) == least
    ]
    return not differences(*pair.both_with(infinite), pair.comparison())


def _call_of(difference: Difference) -> int:
    """The place of the call in which there is a difference; -1 where it is in none."""
    call = re.match(r"call (\d+)\b", difference.path)
    return int(call.group(1)) - 1 if call else -1


#: A whole number as a difference shows it.
_PLACE = re.compile(r"-?\d+(?: \(.*\))?$")


def is_taken_back(difference: Difference) -> bool:
    """Whether only the rewritten version raises, and may only not take such arguments."""
    return difference.is_refusal or difference.is_of_kind or difference.is_foreign


def _form(choice: Mapping[str, Mapping[str, Any]]) -> str:
    """Of which kinds, dtypes and shapes the arguments of a choice are."""
    specs = [(s["k"], s.get("dtype"), s.get("shape"), s.get("parts")) for s in choice.values()]
    return repr(specs)


def _is_zero(plan: Plan) -> bool:
    specs = plan.get("choice", {}).values()
    return bool(plan.get("is_bare")) and any(s.get("low") == s.get("high") == 0 for s in specs)


def _is_nan(plan: Plan) -> bool:
    return _nan_count(plan) > 0


def _nan_count(plan: Plan) -> int:
    """How many arguments of a call are passed NaN."""
    choice = plan.get("choice", {}) if plan.get("is_bare") else {}
    infinite = infinite_choice(choice)
    return sum(infinite[name] != spec for name, spec in choice.items())
