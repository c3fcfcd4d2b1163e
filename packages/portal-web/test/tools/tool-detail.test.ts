import { expect, it } from 'vitest';
import { listArguments, parseToolDetail } from '../../src/pages/tool/tool-detail.ts';

it('reads the answer of describe_tool', () => {
  const tool = { name: 'x_notes_read', description: 'Reads a note', kind: 'tool', server: 'notes' };
  const annotations = { readOnlyHint: true, destructiveHint: true };
  const answer = { ...tool, annotations, inputSchema: { type: 'object' } };
  const facts = { isReadOnly: true, isDestructive: false, mayDestroy: false };
  expect(parseToolDetail(answer)).toEqual({ ...answer, ...facts });
});

it('leaves out what has another type', () => {
  expect(parseToolDetail({ name: 7, annotations: 'none', inputSchema: [] })).toEqual({
    ...{ name: '', description: '', kind: 'tool', inputSchema: {} },
    ...{ isReadOnly: false, isDestructive: false, mayDestroy: true },
  });
});

it('lists arguments with their types', () => {
  const properties = {
    id: { type: 'string', description: 'The note' },
    mode: { enum: ['a', 'b'] },
    size: { type: ['integer', 'null'] },
    other: true,
  };
  const inputSchema = { type: 'object', properties, required: ['id'] };
  expect(listArguments({ inputSchema })).toEqual([
    { name: 'id', type: 'string', isRequired: true, description: 'The note' },
    { name: 'mode', type: '"a" | "b"', isRequired: false, description: '' },
    { name: 'size', type: 'integer | null', isRequired: false, description: '' },
    { name: 'other', type: 'any', isRequired: false, description: '' },
  ]);
});
