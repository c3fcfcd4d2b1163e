import type { CatalogTool } from '@gateway/catalog';
import { carriesLabel } from '../label-rule.ts';
import { excludeGapText, type ExcludeGap } from '../exclude-gaps.ts';
import type { ExcludeRule } from '../preset.ts';
import type { RuleGround } from '../rule-tools.ts';
import { ruleText } from './rule-text.ts';

/**
 * A note on a rule that does less than it seems to: a family's tools serve all of its members, even when a rule names one member or
 * matches its label, and `*` in a pattern of `exclude` stops at `/`. @spec §2.1, §2.2
 */
export type ExplanationNote =
  | { readonly code: 'note.member'; readonly member: string; readonly family: string }
  | { readonly code: 'note.label'; readonly rule: string; readonly family: string }
  | { readonly code: 'note.exclude-gap'; readonly gap: ExcludeGap };

const NO_FENCE = 'its tools reach every member of the family, so that';

type NoteOf<Code extends ExplanationNote['code']> = Extract<
  ExplanationNote,
  { readonly code: Code }
>;

const TEXTS: {
  readonly [Code in ExplanationNote['code']]: (note: NoteOf<Code>) => string;
} = {
  'note.member': ({ member, family }) =>
    `server:${member} names a member of the family ${family}: ${NO_FENCE} the name is no fence`,
  'note.label': ({ rule, family }) =>
    `${rule} is carried by some members of the family ${family} only: ${NO_FENCE} the label is no fence`,
  'note.exclude-gap': ({ gap }) => excludeGapText(gap),
};

/** Returns the note as one sentence. */
export const explanationNoteText = <Code extends ExplanationNote['code']>(
  note: NoteOf<Code>,
): string => TEXTS[note.code](note);

const familiesOf = (
  tools: readonly CatalogTool[],
  isPartly: (tool: CatalogTool) => boolean,
): readonly string[] => [
  ...new Set(
    tools.flatMap((tool) =>
      tool.instanceArg !== undefined && tool.server !== undefined && isPartly(tool)
        ? [tool.server]
        : [],
    ),
  ),
];

/** The notes on one rule that selects the tools. */
export const notesOnRule = (
  rule: ExcludeRule,
  tools: readonly CatalogTool[],
  { labels }: RuleGround,
): readonly ExplanationNote[] => {
  if (rule.kind === 'server')
    return familiesOf(tools, ({ server }) => server !== rule.name).map((family) => ({
      code: 'note.member',
      member: rule.name,
      family,
    }));
  if (rule.kind !== 'label') return [];
  const lacksLabel = ({ providers }: CatalogTool): boolean =>
    providers.some(({ server }) => !carriesLabel(labels.get(server) ?? {}, rule));
  return familiesOf(tools, lacksLabel).map((family) => ({
    code: 'note.label',
    rule: ruleText(rule),
    family,
  }));
};
