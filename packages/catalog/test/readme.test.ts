import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { routed } from '../examples/route-a-call.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/route-a-call.ts'));
});

it('returns the result of the example', () => {
  expect(routed('which pods are there', 'east')).toBe('x_k8s_pods: pods on east');
  expect(routed('which pods are there', 'north')).toBe('route.instance-unknown');
  expect(routed('2026', 'east')).toBe('nothing found');
});
