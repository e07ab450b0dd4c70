#!/usr/bin/env python3
"""What `./dev scoreboard` makes of the schedules that trials took."""
import unittest

from board import Figure, best_published, is_behind, is_lost, misses, verdict


def row(ours, **published):
    return {'published': published, 'figures': {'portfolio': Figure(ours)}}


class Board(unittest.TestCase):
    def test_the_interval_of_twenty_trials_goes_from_the_sixth_to_the_fifteenth(self):
        self.assertEqual(Figure(list(range(1, 21))).interval, (6, 15))
        self.assertEqual(str(Figure(list(range(1, 21)))), '10.5 [6, 15]')

    def test_the_interval_of_few_trials_is_their_range(self):
        self.assertEqual(Figure([7, 3, 5]).interval, (3, 7))

    def test_a_missed_trial_counts_as_longer_than_all_others(self):
        self.assertEqual(str(Figure([None, 2, 4])), '4 [2, –] 2/3')
        self.assertEqual(str(Figure([None, None, 4])), '1/3')
        self.assertEqual(str(Figure([None, None])), 'missed')
        self.assertEqual(str(Figure([None])), 'missed')

    def test_the_best_published_finds_most_and_then_fastest(self):
        self.assertEqual(best_published(row([1], surw=[20, 9], pos=[20, 4], random=[3, 0])), ('pos', 20, 4))
        self.assertEqual(best_published(row([1], maple=[1, 1])), None)

    def test_a_row_is_behind_if_it_is_found_less_often_or_surely_later(self):
        self.assertTrue(is_behind(row([5, 6, 7], pos=[20, 4])))
        self.assertFalse(is_behind(row([4, 6, 7], pos=[20, 4])))
        self.assertTrue(is_behind(row([1, 1, None], pos=[20, 4])))
        self.assertFalse(is_behind(row([1, 1, None], pos=[12, 4])))

    def test_what_nobody_finds_is_missed(self):
        self.assertEqual(verdict(row([None, None], pos=[0, 0])), 'missed')
        self.assertEqual(verdict(row([9, 9], pos=[20, 4])), 'found, behind')
        self.assertEqual(verdict(row([1, 1], pos=[20, 4])), 'found')

    def test_what_others_miss_too_is_not_lost(self):
        self.assertFalse(is_lost(row([None, None], pos=[0, 0])))
        self.assertTrue(is_lost(row([None, None], pos=[1, 0])))
        self.assertTrue(is_lost(row([None, None])))

    def test_misses_are_named_with_their_reason(self):
        rows = [{'program': 'SafeStack', 'figures': {'pct': Figure([None]), 'dfs': Figure([None])}},
                {'program': 'CS/reorder_100', 'figures': {'pct': Figure([4]), 'dfs': Figure([None])}}]
        first, second = misses(rows, ['pct', 'dfs']).splitlines()
        self.assertTrue(first.startswith('- SafeStack (`pct`, `dfs`): its bug needs five preemptions'), first)
        self.assertTrue(second.startswith('- CS/reorder_100 (`dfs`): the tree of so many threads'), second)


if __name__ == '__main__':
    unittest.main()
