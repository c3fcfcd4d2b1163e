import { buildGoProgram } from '@gateway/test-peers';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  DECIDED,
  readAnswers,
  TEMPLATES,
  undecidedDifferences,
  writeAnswers,
} from '../sprig/compare-answers.ts';

const MODULE = fileURLToPath(new URL('sprig', import.meta.url));
/** One of so many answers is stored for the quick tests. */
const STORED_SHARE = 5;

let answers: readonly (readonly [string, Answer])[] = [];

beforeAll(async () => {
  const program = await buildGoProgram({
    name: 'sprig',
    module: MODULE,
    target: '.',
    sources: ['main.go'],
  });
  const printed = execFileSync(program, {
    input: TEMPLATES.map((template) => `${JSON.stringify(template)}\n`).join(''),
    env: { ...process.env, TZ: 'UTC' },
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
  });
  answers = printed
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const { text, error } = JSON.parse(line) as { text: string; error?: string };
      return [TEMPLATES[index] ?? '', error === undefined ? text : null];
    });
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeAnswers(answers.filter((_, index) => index % STORED_SHARE === 0));
});

describe('Go 1.26 and Sprig 3.3.0', () => {
  it('render every template of the corpus as the interpreter does, apart from decided differences', () => {
    const met = new Set<string>();
    expect(answers.length).toBeGreaterThan(15_000);
    expect(undecidedDifferences(answers, met)).toEqual([]);
    expect([...DECIDED.keys()].filter((sentence) => !met.has(sentence))).toEqual([]);
  });

  it('still give the answers that are stored for the quick tests', () => {
    const known = new Map(answers);
    expect(readAnswers().filter(([template, answer]) => known.get(template) !== answer)).toEqual(
      [],
    );
  });
});
