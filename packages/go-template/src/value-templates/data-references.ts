import type { Branch, Operand, Pipeline, Template, TemplateNode } from '../syntax/tree/template.ts';
import type { ValueTemplate } from './value-template.ts';

/**
 * The parts of the data that a template refers to: the first key of each reference, and the second one if it has one. More parts than
 * it uses are possible, fewer are not.
 */
export type DataReferences = readonly (readonly [root: string, key?: string])[];

/** Collects references. `all` is set where a template passes on the data as a whole. */
interface Collection {
  readonly found: Map<string, Set<string> | undefined>;
  all: boolean;
}

/** Where `.` and `$` are the data. */
interface Place {
  readonly dot: boolean;
  readonly dollar: boolean;
}

const add = (collection: Collection, root: string, key: string | undefined): void => {
  const { found } = collection;
  if (key === undefined) found.set(root, undefined);
  else if (!found.has(root)) found.set(root, new Set([key]));
  else found.get(root)?.add(key);
};

const isData = (operand: Operand, { dot, dollar }: Place): boolean =>
  (operand.kind === 'dot' && dot) || (operand.kind === 'variable' && operand.slot === 0 && dollar);

const collectChain = (
  collection: Collection,
  { root, steps }: Extract<Operand, { kind: 'chain' }>,
  place: Place,
): void => {
  const [first, second] = steps;
  if (!isData(root, place)) collect(collection, root, place);
  else if (first?.kind === 'key') {
    add(collection, first.key, second?.kind === 'key' ? second.key : undefined);
  }
};

const collect = (collection: Collection, operand: Operand, place: Place): void => {
  if (isData(operand, place)) collection.all = true;
  else if (operand.kind === 'chain') collectChain(collection, operand, place);
  else if (operand.kind === 'call') {
    for (const argument of operand.arguments) collect(collection, argument, place);
  }
};

const collectPipeline = (
  collection: Collection,
  pipeline: Pipeline | undefined,
  place: Place,
): void => {
  if (pipeline !== undefined) collect(collection, pipeline.value, place);
};

const collectBranch = (
  collection: Collection,
  { pipeline, body }: Branch,
  inside: Place,
  place: Place,
): void => {
  collectPipeline(collection, pipeline, place);
  collectNodes(collection, body, inside);
};

type NodeOf<Kind extends TemplateNode['kind']> = Extract<TemplateNode, { kind: Kind }>;

const collectBranches = (
  collection: Collection,
  { kind, branches, otherwise }: NodeOf<'if' | 'with'>,
  place: Place,
): void => {
  const inside = kind === 'with' ? { ...place, dot: false } : place;
  for (const branch of branches) collectBranch(collection, branch, inside, place);
  collectNodes(collection, otherwise, place);
};

const collectNode = (collection: Collection, node: TemplateNode, place: Place): void => {
  switch (node.kind) {
    case 'action':
    case 'template':
      collectPipeline(collection, node.pipeline, place);
      return;
    case 'if':
    case 'with':
      collectBranches(collection, node, place);
      return;
    case 'range':
      collectBranch(collection, node, { ...place, dot: false }, place);
      collectNodes(collection, node.otherwise, place);
      return;
    case 'text':
    case 'break':
    case 'continue':
  }
};

const collectNodes = (
  collection: Collection,
  nodes: readonly TemplateNode[],
  place: Place,
): void => {
  for (const node of nodes) collectNode(collection, node, place);
};

const collectTemplate = (
  collection: Collection,
  { nodes, single, definitions }: Template,
): void => {
  collectPipeline(collection, single, { dot: true, dollar: true });
  collectNodes(collection, nodes, { dot: true, dollar: true });
  // Inside a definition, `.` and `$` are the value that it was called with.
  for (const body of definitions.values()) {
    collectNodes(collection, body, { dot: false, dollar: false });
  }
};

const collectValue = (collection: Collection, value: ValueTemplate): void => {
  switch (value.kind) {
    case 'constant':
      return;
    case 'template':
      collectTemplate(collection, value.template);
      return;
    case 'list':
      for (const item of value.items) collectValue(collection, item);
      return;
    case 'map':
      for (const [, member] of value.entries) collectValue(collection, member);
  }
};

/** Returns the parts of the data that these values refer to; undefined when one may refer to all of the data. */
export const dataReferences = (values: readonly ValueTemplate[]): DataReferences | undefined => {
  const collection: Collection = { found: new Map(), all: false };
  for (const value of values) collectValue(collection, value);
  if (collection.all) return undefined;
  return [...collection.found].flatMap(([root, keys]): DataReferences =>
    keys === undefined ? [[root]] : [...keys].map((key) => [root, key] as const),
  );
};
