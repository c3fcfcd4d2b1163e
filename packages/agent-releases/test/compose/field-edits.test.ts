import { describe, expect, it } from 'vitest';
import { type AgentFields, applyEdits, listFieldEdits } from '../../src/compose/field-edits.ts';
import { requirement } from '../requirement.ts';

const composed = (fields: AgentFields): unknown =>
  applyEdits({ agent: { name: 'sre' } }, listFieldEdits(fields));

const json = (value: unknown): string => JSON.stringify(value);

describe('the values of a new agent', () => {
  it('have every field where the chart has it, in the order of the chart', () =>
    expect(
      json(
        composed({
          annotations: { 'example.com/owner': 'sre' },
          labels: { team: 'a' },
          toolset: ['preset:read-only', 'workflow:incident-triage'],
          skills: {
            gitRefs: [{ url: 'https://git.internal/skills.git', path: 'runbooks', ref: 'main' }],
            refs: ['registry.internal/skills/one:1'],
            gitAuthSecretName: 'git',
          },
          modelConfig: 'small',
          runtime: 'python',
          systemMessage: 'Be brief.\n',
          iconUrl: 'https://icons.internal/a.svg',
          description: 'helps',
          displayName: 'SRE',
        }),
      ),
    ).toBe(
      json({
        agent: {
          name: 'sre',
          displayName: 'SRE',
          description: 'helps',
          iconUrl: 'https://icons.internal/a.svg',
          systemMessage: 'Be brief.\n',
          runtime: 'python',
        },
        modelConfig: { name: 'small' },
        skills: {
          refs: ['registry.internal/skills/one:1'],
          gitRefs: [
            {
              url: 'https://git.internal/skills.git',
              path: 'runbooks',
              ref: 'main',
              name: 'runbooks',
            },
          ],
          gitAuthSecretRef: { name: 'git' },
        },
        toolset: ['preset:read-only', 'workflow:incident-triage'],
        labels: { team: 'a' },
        annotations: { 'example.com/owner': 'sre' },
      }),
    ));

  it('have only values that the caller set: blank strings, empty maps and empty skills are not set', () =>
    expect(
      composed({
        displayName: '',
        description: ' \n\t',
        modelConfig: 'small',
        labels: {},
        annotations: {},
        skills: { refs: [], gitRefs: [], gitAuthSecretName: ' ' },
      }),
    ).toEqual({ agent: { name: 'sre' }, modelConfig: { name: 'small' } }));

  it('preserve the blanks of non-blank strings', () =>
    expect(composed({ description: '  helps \n' })).toEqual({
      agent: { name: 'sre', description: '  helps \n' },
    }));

  it('preserve labels with an empty value, and the keys of JavaScript prototypes', () =>
    expect(json(composed({ labels: JSON.parse('{"__proto__":"","constructor":"b"}') }))).toBe(
      '{"agent":{"name":"sre"},"labels":{"__proto__":"","constructor":"b"}}',
    ));
});

requirement('4.4/as-given', () => {
  it('neither trims, sorts nor removes duplicates', () =>
    expect(composed({ toolset: ['tool:b', 'tool:a', 'tool:b'] })).toEqual({
      agent: { name: 'sre' },
      toolset: ['tool:b', 'tool:a', 'tool:b'],
    }));
});

describe('the name of a skill from Git', () => {
  const nameOf = (url: string, path?: string): unknown => {
    const [edit] = listFieldEdits({
      skills: { gitRefs: [path === undefined ? { url } : { url, path }] },
    });
    return (edit?.value as { gitRefs: readonly { name?: string }[] }).gitRefs[0]?.name;
  };

  it('is the last segment of the path', () => {
    expect(nameOf('https://git.internal/a.git', 'skills/runbooks')).toBe('runbooks');
    expect(nameOf('https://git.internal/a.git', './skills/runbooks//')).toBe('runbooks');
  });

  it('else the name of the repository', () => {
    expect(nameOf('https://git.internal/group/skills.git')).toBe('skills');
    expect(nameOf('https://git.internal/group/skills/', ' ')).toBe('skills');
    expect(nameOf('https://git.internal/group/skills?ref=main#x', '.')).toBe('skills');
    expect(nameOf('git@git.internal:group/skills.git')).toBe('skills');
    expect(nameOf('git@git.internal:skills.git', '..')).toBe('skills');
    expect(nameOf('ssh://git@git.internal:22/group/skills.git')).toBe('skills');
  });

  it('is left to the chart where neither has one', () =>
    expect(nameOf('https://git.internal')).toBeUndefined());

  it('is the given one before all', () => {
    const [edit] = listFieldEdits({
      skills: { gitRefs: [{ url: 'https://git.internal/a', path: 'b', name: 'c' }] },
    });
    expect(edit?.value).toEqual({
      gitRefs: [{ url: 'https://git.internal/a', path: 'b', name: 'c' }],
    });
  });
});
