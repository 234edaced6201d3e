#!/usr/bin/env python3
"""Screens many changes of the search at once: in each match one side has a random half of them and the other side the rest, so
that every game counts for each change.

A change is a search parameter (params.rs) with one of two values: a sixth below and above its own, rounded, or itself and one
more if that is less than 5; for a rule that is off, give the values, as in `new_rule=0,1`. It needs a build with the
feature `tuning` and fastchess on the PATH. docs/tuning.md describes how it is used.
"""
import argparse
import json
import math
import os
import random
import re
import subprocess
import tempfile
import time

ELO_PER_SCORE = 1600 / math.log(10)  # the slope of the logistic curve at 50 %


def changes(engine, given, left_out):
    """Returns the name and the two values of each change."""
    table = subprocess.run([engine, 'spsa'], capture_output=True, text=True, check=True).stdout
    found = []
    for line in table.splitlines():
        name, _, value, low, high = [column.strip() for column in line.split(',')][:5]
        value, low, high = int(value), int(low), int(high)
        step = round(abs(value) / 6)
        if name in given:
            found.append((name, given.pop(name)))
        elif name in left_out:
            continue
        elif value < 5:
            found.append((name, (value, min(high, value + 1))))
        else:
            found.append((name, (max(low, value - step), min(high, value + step))))
    if given:
        raise SystemExit(f'no such parameter: {", ".join(given)}')
    return found


def match(engine, found, sides, options):
    """Plays one match. Returns the wins, draws and losses of the first side, which has `sides[i]` of change i."""
    command = ['fastchess']
    for name, flip in (('first', 0), ('second', 1)):
        values = [f'option.{change}={two[side ^ flip]}' for (change, two), side in zip(found, sides)]
        command += ['-engine', f'cmd={engine}', f'name={name}', 'option.Hash=4', *values]
    limits = [f'tc={options.clock}', 'option.nodestime=1'] if options.clock else ['st=60', f'nodes={options.nodes}']
    command += ['-each', *limits, '-rounds', str(options.rounds), '-repeat', '-recover']
    command += ['-openings', f'file={os.path.abspath(options.openings)}', 'format=epd', 'order=random']
    command += ['-srand', str(random.randrange(10**9)), '-concurrency', str(options.concurrency)]
    command += ['-resign', 'movecount=3', 'score=500', 'twosided=true', '-draw', 'movenumber=30', 'movecount=6', 'score=8']
    with tempfile.TemporaryDirectory() as folder:
        text = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout
    wins = draws = losses = 0
    for white, result in re.findall(r'Finished game \d+ \((\w+) vs \w+\): (\S+)', text):
        if result == '1/2-1/2':
            draws += 1
        elif (result == '1-0') == (white == 'first'):
            wins += 1
        else:
            losses += 1
    if wins + draws + losses != 2 * options.rounds or 'disconnects' in text:
        raise SystemExit(text)
    return wins, draws, losses


def play(options):
    engine = os.path.abspath(options.engine)
    given = {}
    for change in options.change:
        name, _, values = change.partition('=')
        given[name] = tuple(int(value) for value in values.split(','))
    found = changes(engine, given, options.leave_out)
    end = time.time() + 60 * options.minutes
    while time.time() < end:
        sides = [random.randrange(2) for _ in found]
        result = match(engine, found, sides, options)
        with open(options.log, 'a') as log:
            log.write(json.dumps({'result': result, 'changes': dict(found), 'sides': sides}) + '\n')


def show(options):
    """Prints by how many Elo the second value of each change is better than the first."""
    matches = [json.loads(line) for line in open(options.log)]
    if any(row['changes'] != matches[0]['changes'] for row in matches):
        raise SystemExit(f'{options.log}: not all matches have the same changes')
    games = sum(sum(row['result']) for row in matches)
    # Of matches, because all games of a match also have the other changes' effects in common.
    deviation = ELO_PER_SCORE * math.sqrt(sum(((r['result'][0] - r['result'][2]) / 2) ** 2 for r in matches)) / games
    print(f'{games} games, one standard deviation is {deviation:.1f} Elo')
    effects = []
    for i, (name, values) in enumerate(matches[0]['changes'].items()):
        points = sum((row['result'][0] - row['result'][2]) / 2 * (2 * row['sides'][i] - 1) for row in matches)
        effects.append((ELO_PER_SCORE * points / games, name, values))
    for effect, name, (first, second) in sorted(effects, reverse=True):
        print(f'{effect:+6.1f}  {name} {first} -> {second}')
    beyond = sum(effect**2 for effect, _, _ in effects) / len(effects) - deviation**2
    print(f'beyond the noise, effects have a standard deviation of {math.sqrt(max(beyond, 0)):.1f} Elo')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(dest='job', required=True)
    job = jobs.add_parser('play', help='play matches and add their results to a log')
    job.add_argument('engine', help='an engine built with the feature tuning')
    job.add_argument('log', help='the log; matches of the same changes are added to it')
    job.add_argument('change', nargs='*', help='NAME=FIRST,SECOND: the values of a change')
    job.add_argument('--openings', required=True, help='openings in EPD')
    job.add_argument('--leave-out', nargs='*', default=[], metavar='NAME', help='parameters that stay as they are')
    limit = job.add_mutually_exclusive_group()
    limit.add_argument('--nodes', type=int, default=5000, help='nodes a move')
    limit.add_argument('--clock', metavar='TIME+INCREMENT', help='a clock in thousands of nodes, for changes of the time management')
    job.add_argument('--rounds', type=int, default=16, help='openings in a match; each is played twice')
    job.add_argument('--concurrency', type=int, default=os.cpu_count(), help='games at a time')
    job.add_argument('--minutes', type=float, default=60, help='start no match after this time')
    job.set_defaults(run=play)
    job = jobs.add_parser('show', help='show what each change is worth')
    job.add_argument('log')
    job.set_defaults(run=show)
    options = parser.parse_args()
    options.run(options)


if __name__ == '__main__':
    main()
