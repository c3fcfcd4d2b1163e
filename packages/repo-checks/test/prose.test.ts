import { describe, expect, it } from 'vitest';
import { findProseProblems } from '../src/prose.ts';

const source = (text: string) => ({ file: 'packages/toy/src/a.ts', text });
const page = (text: string) => ({ file: 'docs/toy.md', text });

describe('the comments of a program', () => {
  it('are refused with a banned word, which code and code spans may hold', () => {
    expect(
      findProseProblems(
        source(
          'const told = 1; // The peer is told of it.\n/**\n * Returns `told`.\n * The caller Wants it.\n */\n',
        ),
      ),
    ).toEqual([
      'packages/toy/src/a.ts:1 says "told"; write reports, returns, informs, or the name of the event',
      'packages/toy/src/a.ts:4 says "Wants"; write requires, requests',
    ]);
  });

  it('are refused when a docstring begins with What or Whether', () => {
    expect(
      findProseProblems(
        source('/** What is left. */\n/**\n * Whether it is.\n */\n// What counts.\n'),
      ),
    ).toEqual([
      'packages/toy/src/a.ts:1 begins a docstring with "What"; say what is returned or done',
      'packages/toy/src/a.ts:2 begins a docstring with "Whether"; say what is returned or done',
    ]);
  });

  it('may use a word that the file is allowed', () => {
    expect(findProseProblems(source('/** Opens the door. */\n'), ['door'])).toEqual([]);
  });
});

describe('a page', () => {
  it('is refused with a banned word outside code', () => {
    expect(
      findProseProblems(
        page(
          '# Toy\n\n`nobody` [told](told.md)\n\n```sh\nlooks at\n```\n\nIt looks at the file.\n',
        ),
      ),
    ).toEqual([
      'docs/toy.md:3 says "told"; write reports, returns, informs, or the name of the event',
      'docs/toy.md:9 says "looks at"; write reads, checks, inspects',
    ]);
  });
});
