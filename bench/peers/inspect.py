"""The made-up questions as a task for Inspect, as its documentation writes one."""
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice


@task
def made_up():
    return Task(
        dataset=json_dataset(str(Path(__file__).with_name("inspect.jsonl"))),
        solver=multiple_choice(),
        scorer=choice(),
    )
