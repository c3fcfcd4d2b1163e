import { listInnerSteps, type ShownToolStep, type WorkflowStep } from './workflow-facts.ts';

/** A box of the graph. Positions and sizes are pixels; those of a box in another count from its corner. */
export interface StepBox {
  /** Unique in the graph, and not from outside: `0`, `0.2` for a step in another, `failure`, `failure.0`. */
  readonly id: string;
  /** Absent for the frame around the steps that run when a step fails. */
  readonly step?: WorkflowStep;
  readonly parent?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An arrow of the graph: to the next step, or to the steps that run when a step fails. */
export interface StepArrow {
  readonly from: string;
  readonly to: string;
  readonly kind: 'next' | 'failure';
}

/** The graph of a workflow. */
export interface StepLayout {
  /** A frame comes before the boxes in it. */
  readonly boxes: readonly StepBox[];
  readonly arrows: readonly StepArrow[];
  /** Of the whole graph, in pixels. */
  readonly height: number;
}

const WIDTH = 240;
const HEIGHT = 56;
const CONDITION = 20;
const GAP = 36;
const PADDING = 16;
const COLUMNS = 3;
const SIDE = 96;
const FAILURE = 'failure';

const computeHead = ({ condition }: WorkflowStep): number =>
  HEIGHT + (condition === undefined ? 0 : CONDITION);

/** Places steps below each other, `columns` in a row. */
const placeSteps = (
  steps: readonly ShownToolStep[],
  parent: string,
  { columns, top }: { readonly columns: number; readonly top: number },
): { readonly boxes: readonly StepBox[]; readonly bottom: number } => {
  const boxes: StepBox[] = [];
  let y = top;
  for (let start = 0; start < steps.length; start += columns) {
    const row = steps.slice(start, start + columns);
    row.forEach((step, at) => {
      const x = PADDING + at * (WIDTH + PADDING);
      const place = { x, y, width: WIDTH, height: computeHead(step) };
      boxes.push({ id: `${parent}.${start + at}`, step, parent, ...place });
    });
    y += Math.max(...row.map(computeHead)) + (columns === 1 ? GAP : PADDING);
  }
  const last = columns === 1 ? GAP : PADDING;
  return { boxes, bottom: steps.length === 0 ? y : y - last };
};

const countColumns = (step: WorkflowStep): number =>
  step.kind === 'parallel' ? Math.max(1, Math.min(COLUMNS, step.steps.length)) : 1;

/** Returns the box of a step at the height `y`, centered, and the boxes in it. */
const placeStep = (step: WorkflowStep, id: string, y: number): readonly StepBox[] => {
  const head = computeHead(step);
  if (step.kind === 'tool') return [{ id, step, x: -WIDTH / 2, y, width: WIDTH, height: head }];
  const columns = countColumns(step);
  const { boxes, bottom } = placeSteps(listInnerSteps(step), id, { columns, top: head + PADDING });
  const width = columns * (WIDTH + PADDING) + PADDING;
  return [{ id, step, x: -width / 2, y, width, height: bottom + PADDING }, ...boxes];
};

/** Arrows between the steps that run one after the other. */
const listChainArrows = (ids: readonly string[]): readonly StepArrow[] =>
  ids.slice(1).map((to, at) => ({ from: ids[at] ?? to, to, kind: 'next' }));

const toIds = (steps: readonly unknown[], parent: string): readonly string[] =>
  steps.map((_step, at) => `${parent}.${at}`);

const listInnerArrows = (step: WorkflowStep, id: string): readonly StepArrow[] =>
  step.kind === 'forEach' ? listChainArrows(toIds(step.steps, id)) : [];

const placeAll = (steps: readonly WorkflowStep[]): readonly StepBox[] => {
  const boxes: StepBox[] = [];
  let y = 0;
  steps.forEach((step, at) => {
    const placed = placeStep(step, String(at), y);
    y += (placed[0]?.height ?? 0) + GAP;
    boxes.push(...placed);
  });
  return boxes;
};

const placeHandlers = (handlers: readonly ShownToolStep[], right: number): readonly StepBox[] => {
  if (handlers.length === 0) return [];
  const { boxes, bottom } = placeSteps(handlers, FAILURE, { columns: 1, top: HEIGHT });
  const size = { width: WIDTH + 2 * PADDING, height: bottom + PADDING };
  return [{ id: FAILURE, x: right + SIDE, y: 0, ...size }, ...boxes];
};

/**
 * Places the steps of a workflow: one below the other, the steps of a loop below each other in a frame, those of a group in rows,
 * and the steps that run after a failure in a frame at the right.
 */
export const createStepLayout = ({
  steps,
  handlers,
}: {
  readonly steps: readonly WorkflowStep[];
  readonly handlers: readonly ShownToolStep[];
}): StepLayout => {
  const boxes = placeAll(steps);
  const right = boxes.reduce(
    (most, { x, width, parent }) => (parent ? most : Math.max(most, x + width)),
    0,
  );
  const frames = [...boxes, ...placeHandlers(handlers, right)];
  const failing = steps.flatMap(({ allowsFailure }, at) => (allowsFailure ? [] : [String(at)]));
  return {
    boxes: frames,
    height: frames.reduce(
      (most, { parent, y, height }) => (parent === undefined ? Math.max(most, y + height) : most),
      0,
    ),
    arrows: [
      ...listChainArrows(steps.map((_step, at) => String(at))),
      ...steps.flatMap((step, at) => listInnerArrows(step, String(at))),
      ...listChainArrows(toIds(handlers, FAILURE)),
      ...(handlers.length === 0 ? [] : failing).map((from): StepArrow => ({
        from,
        to: FAILURE,
        kind: 'failure',
      })),
    ],
  };
};
