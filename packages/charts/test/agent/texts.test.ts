import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentOf, agentsOf } from './agent-chart.ts';

const HOSTILE = [
  ...'true no y null ~ 1e3 0x1F 0o17 017 1_000 12:30:45 2026-01-01 .5 - ? .inf {{ --- ... %TAG'.split(
    ' ',
  ),
  ...'@a `a` &a *a | >- = << [a] é 🚀 ${HOME} "q" it\'s \\ \\u0041 <b>&amp; a: :a ,'.split(' '),
  ...['- a', 'a: b', 'a #b', '# a', '{{ .Values.agent }}', '{{ fail "x" }}', '!!int 1', '{a: 1}'],
  ...['a\nb', 'a\n', '\na', '  a', 'a  ', 'a\tb', '\ta', 'a\r\nb', 'a\n---\nb', '- \n- ', 'a, b'],
  ...['a\u00a0b', 'a\u2028b', '\u2029', '\u0085', '\u0000', '\u001b[31m', '\ufeff', '\u200b'],
  ...['\u202e', 'x'.repeat(300), `${'word '.repeat(100)}end`, ' \n \n  a\n', '\u{e0001}'],
];

/** Texts that the YAML parser here reads as numbers, unlike those of Helm and Kubernetes. */
const isMisread = (text: string): boolean => /^-?\.?(?:[eE]-?\d+)?$/u.test(text);

/** Keys that Helm does not accept: the merge key and keys with line separators. */
const isKey = (text: string): boolean => text !== '<<' && !text.includes('\u0085');

const numbered = (texts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map((text, at) => [`n${at.toString()}`, text]));

/** Puts texts into every list and map of the values, and expects each of them back. */
const expectEqual = async (texts: readonly string[]): Promise<void> => {
  const keys = texts.filter(isKey);
  const extra = {
    list: [texts, ...texts],
    keyed: Object.fromEntries(keys.map((text) => [text, text])),
    nested: Object.fromEntries(
      keys.map((text) => [text, { [text]: [text, [{ [text]: [text] }]] }]),
    ),
  };
  const gitRefs = texts.map((text) => ({ url: `https://git.example/${text}` }));
  const extraTools = texts.map((text) => ({ type: text }));
  const { agent } = await agentOf({
    skills: { refs: texts, gitRefs },
    muster: { allowedHeaders: texts, toolNames: texts },
    extraTools,
    nodeSelector: numbered(texts),
    annotations: numbered(texts),
    labels: numbered(texts),
    extraAgentSpec: { extra },
  });
  const { tools = [], deployment } = agent.spec.declarative;
  expect(agent.spec['extra']).toEqual(extra);
  expect(agent.spec['skills']).toEqual({ refs: texts, gitRefs });
  expect(tools[0]?.mcpServer).toMatchObject({ allowedHeaders: texts, toolNames: texts });
  expect(tools.slice(1)).toEqual(extraTools);
  expect(deployment['nodeSelector']).toEqual(numbered(texts));
  expect(agent.metadata.annotations).toEqual(numbered(texts));
  expect(agent.metadata.labels).toMatchObject(numbered(texts));
};

describe('texts from outside', () => {
  it('are preserved in lists and maps', async () => {
    await expectEqual(HOSTILE);
  });

  it('are preserved for every content', async () => {
    const unit = fc.constantFrom(
      ...Array.from(' \n\t:-#{}[]"\'\\|>&*!%@`ab01eE.~=<?,é🚀\u2028\u00a0'),
    );
    const text = fc
      .string({ unit, minLength: 1, maxLength: 20 })
      .filter((one) => isKey(one) && !isMisread(one));
    const seed = Date.now();
    const texts = new Set(fc.sample(text, { numRuns: 120, seed }));
    await expectEqual([...texts]).catch((cause: unknown) => {
      throw new Error(`seed ${seed.toString()}`, { cause });
    });
  });

  it('are preserved in single values; only trailing newlines of the system message are removed', async () => {
    const texts = [
      ...['1e3', '{{ fail "x" }}: - #', ' \n a\n---\n b\t\u2028 ', 'true\n\n', '"\'\\🚀\u0000'],
    ];
    const agents = await agentsOf(
      texts.map((text) => ({
        agent: {
          displayName: text,
          description: text,
          iconUrl: `https://icons.example/${text}`,
          systemMessage: text,
        },
        modelConfig: { name: text },
        skills: { refs: ['a'], gitAuthSecretRef: { name: text } },
        muster: {
          stsWellKnownUri: text,
          serverRef: { kind: text, apiGroup: text, name: text, namespace: text },
        },
      })),
    );
    const token = { name: 'KAGENT_PROPAGATE_TOKEN', value: 'true' };
    agents.forEach(({ spec, metadata }, at) => {
      const text = texts[at] ?? '';
      expect(metadata.annotations).toEqual({ 'gateway.internal/display-name': text });
      expect(spec).toMatchObject({ description: text, iconUrl: `https://icons.example/${text}` });
      expect(spec['skills']).toEqual({ refs: ['a'], gitAuthSecretRef: { name: text } });
      expect(spec.declarative).toMatchObject({
        modelConfig: text,
        systemMessage: text.replace(/\n+$/u, ''),
        tools: [{ mcpServer: { kind: text, apiGroup: text, name: text, namespace: text } }],
        deployment: { env: [token, { name: 'STS_WELL_KNOWN_URI', value: text }] },
      });
    });
  });

  it('can be a very long system message', async () => {
    const line = 'You are careful. {{ "no template" }}\n\n  - 1e3: true\n';
    const systemMessage = `${line.repeat(4000)}${'word '.repeat(2000)}end`;
    const { agent } = await agentOf({ agent: { systemMessage: `${systemMessage}\n\n` } });
    expect(agent.spec.declarative.systemMessage).toBe(systemMessage);
  });
});
