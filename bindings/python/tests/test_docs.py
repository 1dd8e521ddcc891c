"""The chapter of the book says what is so: its examples are run, all in one session, as a reader would."""

import doctest
import pathlib
import re

CHAPTER = pathlib.Path(__file__).parents[3] / "docs" / "python.md"


def test_the_chapter_is_right():
    blocks = re.findall(r"^```python\n(.*?)^```", CHAPTER.read_text(), re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, CHAPTER.name, str(CHAPTER), 0)
    assert len(test.examples) > 40
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test).failed == 0
