import type { OperationDraft } from '@gateway/agent-manager-client';

/** Arguments of `create_agent` with what the rendered Agent has of them. */
export interface DraftCase {
  readonly title: string;
  readonly draft: Omit<OperationDraft<'create_agent'>, 'name' | 'modelConfig' | 'toolset'>;
  /** Paths in the Agent and their values. */
  readonly rendered: Readonly<Record<string, unknown>>;
}

/** Texts that YAML misreads or refuses without quotes. */
const HOSTILE_TEXTS = [
  ...'yes Off ~ null 1e3 0x1F 0o14 017 1_000 .inf 2026-07-28 12:30:45 = << # &a *a !tag'.split(' '),
  ...'- a|? a|: a|a: b|a #b|>-|%YAML 1.1|@a|`a`|"|\'|\\n|{{ .Values }}|{a: b}|[a]|---|...'.split(
    '|',
  ),
  ...['|', 'a\n---\nb: c', 'a\r\nb', 'a\tb', '\u0000', '\u0085\u00a0\u2028\u2029\ufeff', '🦊'],
  ...[' a ', '$(A)', `${'x'.repeat(5_000)} ${'y'.repeat(200)}`],
];

const hostile = HOSTILE_TEXTS.map((text): DraftCase => {
  const annotations = { 'example.com/text': text };
  return {
    title: `the text ${JSON.stringify(text).slice(0, 30)}`,
    draft: { description: text, systemMessage: `${text}.`, annotations },
    rendered: {
      'spec.description': text,
      'spec.declarative.systemMessage': `${text}.`,
      'metadata.annotations': annotations,
    },
  };
});

const MESSAGE = 'You watch the platform.\n\n  - say what is wrong\n\t- then what to do\n';

const REFS = ['registry.example.com/skills/runbooks:1', '1e3'];
const ON_CALL = {
  url: 'https://git.example.com/skills.git',
  path: 'runbooks/on-call',
  ref: 'main',
};
const MORE = { url: 'https://git.example.com/more', name: 'yes' };

/** One draft per field, and drafts with texts that YAML can misread. */
export const DRAFT_CASES: readonly DraftCase[] = [
  {
    title: 'nothing but what is required',
    draft: {},
    rendered: {
      'spec.description': undefined,
      'spec.skills': undefined,
      'spec.declarative.runtime': 'go',
      'spec.declarative.systemMessage': 'You are a helpful agent.',
    },
  },
  ...['python', 'go'].map((runtime) => ({
    title: `the runtime ${runtime}`,
    draft: { runtime },
    rendered: { 'spec.declarative.runtime': runtime },
  })),
  {
    title: 'a name for people, the longest',
    draft: { displayName: '🚀'.repeat(63) },
    rendered: { 'metadata.annotations': { 'gateway.internal/display-name': '🚀'.repeat(63) } },
  },
  {
    title: 'a message of several lines',
    draft: { systemMessage: MESSAGE },
    rendered: { 'spec.declarative.systemMessage': MESSAGE.trimEnd() },
  },
  {
    title: 'an icon',
    draft: { iconUrl: 'https://icons.example.com/a.png' },
    rendered: { 'spec.iconUrl': 'https://icons.example.com/a.png' },
  },
  {
    title: 'skills of every kind',
    draft: { skills: { refs: REFS, gitRefs: [ON_CALL, MORE], gitAuthSecretName: 'git' } },
    rendered: {
      'spec.skills': {
        refs: REFS,
        gitRefs: [{ ...ON_CALL, name: 'on-call' }, MORE],
        gitAuthSecretRef: { name: 'git' },
      },
    },
  },
  {
    title: 'labels and annotations with names from everywhere',
    draft: {
      labels: { 'example.com/team': 'true', constructor: '007' },
      annotations: { 'example.com/note': 'on', toString: '~' },
    },
    rendered: {
      'metadata.labels.example~com/team': 'true',
      'metadata.labels.constructor': '007',
      'metadata.annotations': { 'example.com/note': 'on', toString: '~' },
    },
  },
  ...hostile,
];
