import { expect, it } from 'vitest';
import { EMPTY_FORM } from '../../src/pages/agent-wizard/agent-form.ts';
import {
  diffFields,
  isUnchanged,
  NO_CHANGES,
  readChanges,
} from '../../src/pages/agent-wizard/wizard-draft.ts';

it('reads what it stores', () => {
  const skill = { url: 'https://git.example/skills', path: 'runbooks', name: 'runbooks' };
  const changes = { fields: { name: 'sre', skills: [skill] }, toolset: ['server:notes'] };
  expect(readChanges(JSON.stringify(changes))).toEqual(changes);
  expect(readChanges(JSON.stringify(NO_CHANGES))).toEqual(NO_CHANGES);
});

it.each(['', '{', 'null', '[]', '7', '{"fields":7,"toolset":{}}'])(
  'reads %j as nothing',
  (text) => {
    expect(readChanges(text)).toEqual(NO_CHANGES);
  },
);

it('leaves out what is no field and what has another type', () => {
  const text =
    '{"fields":{"name":7,"__proto__":"x","constructor":"x","force":"true","skills":[1,{"path":"x"},{"url":"u","ref":3}]},"toolset":["a",1]}';
  expect(readChanges(text)).toEqual({ fields: { skills: [] }, toolset: ['a'] });
});

it('reads at most 200 selectors', () => {
  const toolset = Array.from({ length: 300 }, (_, at) => `tool:${at}`);
  expect(readChanges(JSON.stringify({ toolset })).toolset).toHaveLength(200);
});

it('returns the fields that differ', () => {
  const form = { ...EMPTY_FORM, name: 'sre', skills: [{ url: 'u' }] };
  expect(diffFields(EMPTY_FORM, form)).toEqual({ name: 'sre', skills: [{ url: 'u' }] });
  expect(diffFields(form, { ...form, skills: [{ url: 'u' }] })).toEqual({});
  expect(isUnchanged({ fields: {} })).toBe(true);
  expect(isUnchanged({ fields: {}, toolset: [] })).toBe(false);
});
