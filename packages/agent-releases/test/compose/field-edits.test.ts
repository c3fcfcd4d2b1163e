import { describe, expect, it } from 'vitest';
import { type AgentFields, applyEdits, listFieldEdits } from '../../src/compose/field-edits.ts';
import type { Json } from '../../src/store/agent-store.ts';
import { requirement } from '../requirement.ts';

const edit = (values: Json, fields: AgentFields): Json =>
  applyEdits(values, listFieldEdits(fields));
const compose = (fields: AgentFields): Json => edit({ agent: { name: 'sre' } }, fields);
const json = (value: unknown): string => JSON.stringify(value);

describe('the values of a new agent', () => {
  it('have every field where the chart has it, in the order of the chart', () => {
    const texts = { displayName: 'SRE', description: 'helps', iconUrl: 'https://icons/a.svg' };
    const fields = { ...texts, systemMessage: 'Be brief.\n', runtime: 'python' };
    const gitRef = { url: 'https://git.internal/skills.git', path: 'runbooks', ref: 'main' };
    const refs = ['registry.internal/skills/one:1'];
    const toolset = ['preset:read-only', 'workflow:incident-triage'];
    const [labels, annotations] = [{ team: 'a' }, { 'example.com/owner': 'sre' }];
    const skills = { gitRefs: [gitRef], refs, gitAuthSecretName: 'git' };
    const reversed = Object.fromEntries(Object.entries(fields).toReversed());
    const given = { annotations, labels, toolset, skills, modelConfig: 'small', ...reversed };
    expect(json(compose(given))).toBe(
      json({
        agent: { name: 'sre', ...fields },
        modelConfig: { name: 'small' },
        skills: {
          refs,
          gitRefs: [{ ...gitRef, name: 'runbooks' }],
          gitAuthSecretRef: { name: 'git' },
        },
        toolset,
        labels,
        annotations,
      }),
    );
  });

  it('have only values that the caller set: blank strings, empty maps and empty skills are not set', () => {
    const skills = { refs: [], gitRefs: [], gitAuthSecretName: ' ' };
    const blank = { displayName: '', description: ' \n\t', labels: {}, annotations: {}, skills };
    expect(compose({ ...blank, modelConfig: 'small' })).toEqual({
      agent: { name: 'sre' },
      modelConfig: { name: 'small' },
    });
  });

  it('preserve the blanks of non-blank strings', () => {
    const description = '  helps \n';
    expect(compose({ description })).toEqual({ agent: { name: 'sre', description } });
  });

  it('preserve labels with an empty value, and the keys of JavaScript prototypes', () => {
    const labels = '{"__proto__":"","constructor":"b"}';
    const composed = compose({ labels: JSON.parse(labels) as Record<string, string> });
    expect(json(composed)).toBe(`{"agent":{"name":"sre"},"labels":${labels}}`);
  });
});

requirement('4.4/as-given', () => {
  it('neither trims, sorts nor removes duplicates', () => {
    const toolset = ['tool:b', 'tool:a', 'tool:b'];
    expect(compose({ toolset })).toEqual({ agent: { name: 'sre' }, toolset });
  });
});

it.each([
  [{ url: 'https://git.internal/a.git', path: 'skills/runbooks' }, 'runbooks'],
  [{ url: 'https://git.internal/a.git', path: './skills/runbooks//' }, 'runbooks'],
  [{ url: 'https://git.internal/group/skills.git' }, 'skills'],
  [{ url: 'https://git.internal/group/skills/', path: ' ' }, 'skills'],
  [{ url: 'https://git.internal/group/skills?ref=main#x', path: '.' }, 'skills'],
  [{ url: 'git@git.internal:group/skills.git' }, 'skills'],
  [{ url: 'git@git.internal:skills.git', path: '..' }, 'skills'],
  [{ url: 'ssh://git@git.internal:22/group/skills.git' }, 'skills'],
  // Left to the chart.
  [{ url: 'https://git.internal' }, undefined],
  [{ url: 'https://git.internal/a', path: 'b', name: 'c' }, 'c'],
])(
  'the name of a skill is the given one, else of its path, else of its repository: %j',
  (gitRef, name) => {
    const { skills } = compose({ skills: { gitRefs: [gitRef] } });
    const [shown] = (skills as { gitRefs: readonly { name?: string }[] }).gitRefs;
    expect(shown?.name).toBe(name);
  },
);

describe('the values after a change', () => {
  const muster = { serverRef: { name: 'other' } };
  const VALUES: Json = {
    muster,
    agent: { name: 'sre', description: 'helps', own: 1 },
    modelConfig: { name: 'small' },
    unknown: [1],
  };

  it('differ where the caller requested it, and keep their order', () => {
    const changed = { name: 'sre', description: 'new', own: 1, runtime: 'go' };
    expect(json(edit(VALUES, { description: 'new', runtime: 'go' }))).toBe(
      json({ ...VALUES, agent: changed }),
    );
  });

  it('lose removed values, and maps that become empty', () => {
    const rest = { muster, agent: { name: 'sre', own: 1 }, unknown: [1] };
    expect(edit(VALUES, { description: '', modelConfig: ' ' })).toEqual(rest);
  });

  it('are the same object when nothing is taken away that was there', () => {
    expect(edit(VALUES, { iconUrl: '', labels: {}, skills: {}, annotations: {} })).toBe(VALUES);
  });

  it.each<[string, Json, AgentFields, Json]>([
    [
      'replace blocks whole',
      { labels: { a: '1', b: '2' }, skills: { refs: ['x'], own: true } },
      { labels: { b: '3' }, skills: { refs: ['y'] } },
      { labels: { b: '3' }, skills: { refs: ['y'] } },
    ],
    ['leave an empty map of others alone', { agent: {} }, { description: '' }, { agent: {} }],
    [
      'replace a value that is not a map by a map',
      { agent: null, modelConfig: 'x' },
      { modelConfig: 'm' },
      { agent: null, modelConfig: { name: 'm' } },
    ],
  ])('%s', (_rule, before, fields, after) => {
    expect(edit(before, fields)).toEqual(after);
  });
});
