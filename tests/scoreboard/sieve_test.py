#!/usr/bin/env python3
"""How `./dev scoreboard sieve` judges the results of explorations."""
import unittest

from board import Figure
from sieve import TRIGGERS, Search, published, stories, trigger, verdict


def search(executions, kind=''):
    return Search(kind, executions, 1.0)


def row(mended, *searches):
    return {'searches': searches, 'mended': mended, 'figure': Figure([each.schedules for each in searches])}


class Board(unittest.TestCase):
    def test_what_is_found_in_half_of_the_trials_is_found(self):
        self.assertEqual(verdict(row(search(50), search(3, 'violation'), search(200))), 'found')
        self.assertEqual(verdict(row(search(50), search(200), search(200))), 'missed')

    def test_a_mended_operator_that_fails_spoils_the_row(self):
        self.assertEqual(verdict(row(search(7, 'violation'), search(3, 'violation'))), 'the fixed one fails too')

    def test_a_divergence_is_no_finding(self):
        self.assertEqual(verdict(row(search(50), search(3, 'divergence'))), 'diverged')

    def test_each_bug_has_a_story_and_a_source_of_figures(self):
        names = {each.stem for each in stories.glob('*.yaml')}
        self.assertGreaterEqual(len(names), 15)
        self.assertLessEqual({bug for _, bugs in TRIGGERS for bug in bugs.split()}, names)
        self.assertTrue(all(published(bug) for bug in names))
        self.assertEqual(trigger('zookeeper_314'), 'stale')


if __name__ == '__main__':
    unittest.main()
