import type { CatalogSnapshot, CatalogTool } from '@gateway/catalog';
import { carriesLabel, type LabelQuery } from './label-rule.ts';
import type { ExcludeRule, Labels } from './preset.ts';

/** The labels of every server, by its name. */
export type ServerLabels = ReadonlyMap<string, Labels>;

/** The catalog and labels that rules are resolved against. */
export interface RuleGround {
  readonly catalog: CatalogSnapshot;
  readonly labels: ServerLabels;
}

/** The value as a list: of one, or of none. */
export const orNone = <T>(value: T | undefined): readonly T[] =>
  value === undefined ? [] : [value];

const isProvidedBy = ({ instanceArg, providers }: CatalogTool, name: string): boolean =>
  instanceArg === undefined || providers.some(({ server }) => server === name);

/**
 * Returns the tools that one of the labelled servers provides. A family can have the name of a server;
 * the label of that server does not apply to the other members of the family.
 */
const toolsWithLabel = (
  { catalog, labels }: RuleGround,
  query: LabelQuery,
): readonly CatalogTool[] => {
  const tools: CatalogTool[] = [];
  for (const [name, own] of labels) {
    if (!carriesLabel(own, query)) continue;
    for (const tool of catalog.toolsOfServer(name)) if (isProvidedBy(tool, name)) tools.push(tool);
  }
  return tools;
};

const toolsMatching = (
  { catalog }: RuleGround,
  matches: (name: string) => boolean,
): readonly CatalogTool[] => {
  const tools: CatalogTool[] = [];
  for (const tool of catalog.tools) if (matches(tool.name)) tools.push(tool);
  return tools;
};

type RuleOf<Kind extends ExcludeRule['kind']> = Extract<ExcludeRule, { readonly kind: Kind }>;

const TOOLS: {
  readonly [Kind in ExcludeRule['kind']]: (
    rule: RuleOf<Kind>,
    ground: RuleGround,
  ) => readonly CatalogTool[];
} = {
  tool: ({ name }, { catalog }) => orNone(catalog.tool(name)),
  pattern: ({ matches }, ground) => toolsMatching(ground, matches),
  server: ({ name }, { catalog }) => catalog.toolsOfServer(name),
  workflow: ({ name }, { catalog }) => orNone(catalog.toolOfWorkflow(name)),
  readOnly: (_rule, { catalog }) => catalog.readOnlyTools,
  label: (query, ground) => toolsWithLabel(ground, query),
};

/** The tools that one rule selects; repeats are possible. @spec §2.2 */
export const toolsOfRule = <Kind extends ExcludeRule['kind']>(
  rule: RuleOf<Kind>,
  ground: RuleGround,
): readonly CatalogTool[] => TOOLS[rule.kind](rule, ground);
