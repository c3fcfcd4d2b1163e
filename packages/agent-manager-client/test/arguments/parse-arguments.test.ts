import { describe, expect, it } from 'vitest';
import { OPERATIONS, parseArguments, type OperationName } from '../../src/index.ts';

const messageOf = (name: OperationName, given: unknown) => {
  const parsed = parseArguments(name, given);
  return parsed.ok ? undefined : parsed.error.message;
};

const create = (given: unknown) => messageOf('create_agent', given);
const gitRefs = (...refs: readonly unknown[]) => create({ skills: { gitRefs: refs } });

/** As it comes from outside, where an object has any names of its own. */
const json = (text: string): unknown => JSON.parse(text);

describe('valid arguments', () => {
  it('are passed on unchanged', () => {
    const given = {
      name: 'sre',
      displayName: 'SRE 😀',
      systemMessage: '',
      modelConfig: 'small',
      runtime: 'go',
      skills: {
        refs: ['registry/skill:1'],
        gitRefs: [{ url: 'https://git/x', path: 'runbooks', ref: 'main', name: 'runbooks' }],
        gitAuthSecretName: 'git',
      },
      toolset: ['preset:none', 'preset:none', ''],
      labels: { 'app.kubernetes.io/part-of': 'x' },
      annotations: {},
      namespace: 'team-a',
    };
    expect(parseArguments('create_agent', given)).toEqual({ ok: true, value: given });
  });
  it('may be missing, those that an operation requires too', () => {
    for (const name of Object.keys(OPERATIONS) as OperationName[]) {
      expect(parseArguments(name, {})).toEqual({ ok: true, value: {} });
      expect(parseArguments(name, undefined)).toEqual({ ok: true, value: {} });
    }
  });
  it('are absent when they are null, at any depth', () =>
    expect(
      parseArguments('update_agent', {
        name: null,
        toolset: null,
        labels: null,
        force: null,
        skills: { refs: null, gitRefs: [{ url: 'https://git/x', ref: null }] },
      }),
    ).toEqual({ ok: true, value: { skills: { gitRefs: [{ url: 'https://git/x' }] } } }));
  it('are not changed by it', () => {
    const given = Object.freeze({ name: null, skills: Object.freeze({ refs: null }) });
    expect(parseArguments('update_agent', given)).toEqual({ ok: true, value: { skills: {} } });
  });
});

describe('a toolset as given', () => {
  it('passes the toolset on with its order, duplicates and blanks', () => {
    const toolset = ['tool:b', 'preset:read-only', 'tool:b', ' server:a', 'server:é'];
    const parsed = parseArguments('create_agent', { toolset });
    expect(parsed).toEqual({ ok: true, value: { toolset } });
    expect(parseArguments('update_agent', { toolset: [] })).toEqual({
      ok: true,
      value: { toolset: [] },
    });
  });
});

describe('an unknown argument', () => {
  it('is named', () =>
    expect(create({ name: 'a', colour: 'red' })).toBe('invalid request: unknown field "colour"'));
  it('is named also when it is null', () =>
    expect(create({ colour: null })).toBe('invalid request: unknown field "colour"'));
  it('is named with its location', () => {
    expect(create({ skills: { colour: 1 } })).toBe(
      'invalid request: unknown field "colour" in skills',
    );
    expect(gitRefs({ url: 'u' }, { url: 'u', colour: 1 })).toBe(
      'invalid request: unknown field "colour" in skills.gitRefs[1]',
    );
  });
  it('belongs to another operation', () => {
    expect(create({ force: true })).toBe('invalid request: unknown field "force"');
    expect(messageOf('delete_agent', { force: true })).toBeUndefined();
  });
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'may be called %j',
    (key) =>
      expect(create(json(`{${JSON.stringify(key)}: {"name": "a"}}`))).toBe(
        `invalid request: unknown field "${key}"`,
      ),
  );
  it('is not an inherited property', () => {
    const inheriting = Object.create({ colour: 'red', name: 5 }) as object;
    expect(parseArguments('create_agent', inheriting)).toEqual({ ok: true, value: {} });
  });
  it('is repeated in part when its name is long', () =>
    expect(create({ ['x'.repeat(10_000_000)]: 1 })).toBe(
      `invalid request: unknown field "${'x'.repeat(256)}…"`,
    ));
  it('is shown without invisible characters', () =>
    expect(create({ '\u202e\ud800\n': 1 })).toBe(
      String.raw`invalid request: unknown field "\u202e\ud800\n"`,
    ));
});

describe('a value of another type', () => {
  it.each([
    ['name', 5, 'name must be a string'],
    ['displayName', ['SRE'], 'displayName must be a string'],
    ['systemMessage', true, 'systemMessage must be a string'],
    ['namespace', {}, 'namespace must be a string'],
    ['toolset', 'preset:read-only', 'toolset must be an array'],
    ['toolset', { 0: 'preset:none' }, 'toolset must be an array'],
    ['toolset', ['preset:none', 7], 'toolset[1] must be a string'],
    ['toolset', [null], 'toolset[0] must be a string'],
    ['toolset', [['preset:none']], 'toolset[0] must be a string'],
    ['skills', [], 'skills must be an object'],
    ['skills', { refs: 'x' }, 'skills.refs must be an array'],
    ['skills', { refs: ['a', {}] }, 'skills.refs[1] must be a string'],
    ['skills', { gitRefs: {} }, 'skills.gitRefs must be an array'],
    ['skills', { gitRefs: ['https://git'] }, 'skills.gitRefs[0] must be an object'],
    ['skills', { gitRefs: [null] }, 'skills.gitRefs[0] must be an object'],
    ['skills', { gitRefs: [{ url: 5 }] }, 'skills.gitRefs[0].url must be a string'],
    ['labels', ['a'], 'labels must be an object'],
    ['labels', { team: 5 }, 'labels.team must be a string'],
    ['labels', { team: null }, 'labels.team must be a string'],
    ['labels', { 'a.b/c': 5 }, 'labels["a.b/c"] must be a string'],
    ['annotations', { '': {} }, 'annotations[""] must be a string'],
  ])('of %s, %j, is named with the place', (argument, value, sentence) =>
    expect(create({ [argument]: value })).toBe(`invalid request: ${sentence}`),
  );
  it.each(['yes', 1, 'true', []])('of a boolean is %j', (force) =>
    expect(messageOf('update_agent', { name: 'a', force })).toBe(
      'invalid request: force must be a boolean',
    ),
  );
  it.each([[[]], ['{}'], [5], [false]])('of all arguments is %j', (given) =>
    expect(create(given)).toBe('invalid request: the arguments must be an object'),
  );
  it('is named before later problems', () => {
    expect(create({ name: 5, colour: 1 })).toBe('invalid request: name must be a string');
    expect(create({ colour: 1, name: 5 })).toBe('invalid request: unknown field "colour"');
  });
});

describe('a repository without an address', () => {
  it.each([[{}], [{ path: 'x' }], [{ url: null }]])('%j is refused', (ref) =>
    expect(gitRefs({ url: 'u' }, ref)).toBe('invalid request: skills.gitRefs[1].url is required'),
  );
});

describe('texts with unpaired surrogates', () => {
  it.each([
    [{ displayName: '\ud800' }, 'displayName must be a string without lone surrogates'],
    [{ toolset: ['server:\udc00'] }, 'toolset[0] must be a string without lone surrogates'],
    [{ labels: { a: 'x\ud83d' } }, 'labels.a must be a string without lone surrogates'],
    [
      { labels: { '\ud83d': 'x' } },
      'labels must be an object whose keys are without lone surrogates',
    ],
  ])('%j are refused', (given, sentence) =>
    expect(create(given)).toBe(`invalid request: ${sentence}`),
  );
});

describe('labels', () => {
  it('may have any key', () => {
    const parsed = parseArguments('create_agent', json('{"labels":{"__proto__":"x","a":"b"}}'));
    expect(JSON.stringify(parsed.ok && parsed.value.labels)).toBe('{"__proto__":"x","a":"b"}');
  });
});

describe('arguments of any size', () => {
  it('with cyclic nesting are refused or ignored', () => {
    const deep = json(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(create({ toolset: deep })).toBe('invalid request: toolset[0] must be a string');
    expect(parseArguments('create_agent', { toolNames: deep }).ok).toBe(true);
  });
  it('give a short refusal', () => {
    const long = 'k'.repeat(5_000_000);
    expect(create({ labels: { [long]: 5 } })).toBe(
      `invalid request: labels["${'k'.repeat(256)}…"] must be a string`,
    );
  });
});
