import { expect, it } from 'vitest';
import { parseToolDetail } from '../src/pages/tool/tool-detail.ts';
import { ToolAnnotations } from '../src/pages/tool/tool-page.tsx';
import { render } from './harness/render.tsx';

const factsOf = (answer: object): readonly string[] => {
  const html = render(<ToolAnnotations tool={parseToolDetail({ ...answer })} />);
  return [...html.matchAll(/<div[^>]*><p[^>]*>([^<]*)<\/p><div[^>]*>(?:<bdi>)?([^<]*)/gu)].map(
    ([, label = '', value = '']) => `${label}: ${value}`,
  );
};

it('shows every hint of a tool, also those that it does not state', () => {
  const annotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: 'yes' };
  expect(factsOf({ title: '<b>Delete</b>', annotations })).toEqual([
    'Title: &lt;b&gt;Delete&lt;/b&gt;',
    'Only reads: no',
    'Deletes or overwrites something: yes',
    'Has no further effect when repeated: not stated',
    'Reaches systems outside of its server: not stated',
  ]);
});

it('shows the hints of a tool without annotations as not stated', () => {
  expect(factsOf({})).toEqual([
    'Only reads: not stated',
    'Deletes or overwrites something: not stated',
    'Has no further effect when repeated: not stated',
    'Reaches systems outside of its server: not stated',
  ]);
});
