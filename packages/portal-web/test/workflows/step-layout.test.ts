import { describe, expect, it } from 'vitest';
import { createStepLayout, type StepBox } from '../../src/pages/workflows/step-layout.ts';
import { parseSteps, parseToolSteps } from '../../src/pages/workflows/workflow-facts.ts';

const call = (id: string, more: object = {}) => ({ id, tool: `x_${id}`, ...more });

const layoutOf = (steps: readonly object[], handlers: readonly object[] = []) =>
  createStepLayout({ steps: parseSteps(steps), handlers: parseToolSteps(handlers) });

/** Boxes beside or above each other. */
const areApart = (a: StepBox, b: StepBox): boolean =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

const isInside = (inner: StepBox, frame: StepBox): boolean =>
  inner.x >= 0 &&
  inner.y >= 0 &&
  inner.x + inner.width <= frame.width &&
  inner.y + inner.height <= frame.height;

/** Returns the pairs of boxes that lie on each other without one being the frame of the other. */
const overlaps = (boxes: readonly StepBox[]): readonly string[] =>
  boxes.flatMap((a, at) =>
    boxes
      .slice(at + 1)
      .filter((b) => a.parent === b.parent && !areApart(a, b))
      .map((b) => `${a.id} ${b.id}`),
  );

const outside = (boxes: readonly StepBox[]): readonly string[] => {
  const frames = new Map(boxes.map((box) => [box.id, box]));
  return boxes
    .filter(({ parent }) => parent !== undefined)
    .filter((box) => {
      const frame = frames.get(box.parent ?? '');
      return frame === undefined || !isInside(box, frame);
    })
    .map(({ id }) => id);
};

describe('the layout of steps', () => {
  it('places steps below each other, with arrows between them', () => {
    const { boxes, arrows, height } = layoutOf([call('a'), call('b')]);
    expect(boxes.map(({ id, x, y, width, height: high }) => ({ id, x, y, width, high }))).toEqual([
      { id: '0', x: -120, y: 0, width: 240, high: 56 },
      { id: '1', x: -120, y: 92, width: 240, high: 56 },
    ]);
    expect(arrows).toEqual([{ from: '0', to: '1', kind: 'next' }]);
    expect(height).toBe(148);
  });

  it('gives a condition a line of its own', () => {
    const { boxes } = layoutOf([call('a', { condition: { template: '{{ .x }}' } })]);
    expect(boxes[0]?.height).toBe(76);
  });

  it('places the steps of a loop below each other in its frame, with arrows', () => {
    const steps = [call('a'), call('b')];
    const { boxes, arrows } = layoutOf([{ id: 'each', forEach: { items: '{{ .x }}', steps } }]);
    expect(boxes.map(({ id, parent }) => [id, parent])).toEqual([
      ['0', undefined],
      ['0.0', '0'],
      ['0.1', '0'],
    ]);
    expect(arrows).toEqual([{ from: '0.0', to: '0.1', kind: 'next' }]);
    expect([overlaps(boxes), outside(boxes)]).toEqual([[], []]);
  });

  it('places the steps of a group in rows of three, without arrows', () => {
    const parallel = ['a', 'b', 'c', 'd'].map((id) => call(id));
    const { boxes, arrows } = layoutOf([{ id: 'all', parallel }]);
    const rows = boxes.slice(1).map(({ y }) => y);
    expect(new Set(rows.slice(0, 3)).size).toBe(1);
    expect(rows[3]).toBeGreaterThan(rows[0] ?? 0);
    expect(arrows).toEqual([]);
    expect([overlaps(boxes), outside(boxes)]).toEqual([[], []]);
  });

  it('leads to the steps after a failure from every step that may not fail', () => {
    const { boxes, arrows } = layoutOf(
      [call('a'), call('b', { allowFailure: true }), call('c')],
      [call('clean'), call('report')],
    );
    expect(arrows.filter(({ kind }) => kind === 'failure')).toEqual([
      { from: '0', to: 'failure', kind: 'failure' },
      { from: '2', to: 'failure', kind: 'failure' },
    ]);
    expect(arrows).toContainEqual({ from: 'failure.0', to: 'failure.1', kind: 'next' });
    expect(boxes.find(({ id }) => id === 'failure')?.step).toBe(undefined);
    expect([overlaps(boxes), outside(boxes)]).toEqual([[], []]);
  });

  it('has no frame and no arrows for a failure without steps after it', () => {
    const { boxes, arrows } = layoutOf([call('a')]);
    expect(boxes.map(({ id }) => id)).toEqual(['0']);
    expect(arrows).toEqual([]);
  });

  it('keeps a thousand steps of every kind apart, whatever their ids are', () => {
    const inner = ['__proto__', 'constructor', '__proto__'].map((id) => call(id));
    const kinds = [
      call('__proto__'),
      { id: 'constructor', forEach: { items: '{{ .x }}', steps: inner } },
      { id: '__proto__', parallel: [...inner, ...inner] },
      { id: 'empty', parallel: [] },
    ];
    const steps = Array.from({ length: 1_000 }, (_, at) => kinds[at % kinds.length] ?? {});
    const { boxes, arrows } = layoutOf(steps, inner);
    expect(new Set(boxes.map(({ id }) => id)).size).toBe(boxes.length);
    expect(boxes).toHaveLength(1_000 + 250 * 9 + 4);
    const frames = boxes.filter(({ parent }) => parent === undefined);
    const below = frames.filter(({ id }) => id !== 'failure').map(({ y }) => y);
    expect(below).toEqual(below.toSorted((a, b) => a - b));
    expect(outside(boxes)).toEqual([]);
    const ids = new Set(boxes.map(({ id }) => id));
    expect(arrows.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
  });
});
