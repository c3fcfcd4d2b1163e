import { expect, it } from 'vitest';
import { listArguments, parseToolDetail } from '../src/pages/tool/tool-detail.ts';

it('reads the answer of describe_tool', () => {
  expect(
    parseToolDetail({
      name: 'x_notes_read',
      description: 'Reads a note',
      kind: 'tool',
      server: 'notes',
      annotations: { readOnlyHint: true, destructiveHint: true },
      inputSchema: { type: 'object' },
    }),
  ).toEqual({
    name: 'x_notes_read',
    description: 'Reads a note',
    kind: 'tool',
    server: 'notes',
    isReadOnly: true,
    isDestructive: false,
    mayDestroy: false,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: true },
  });
});

it('leaves out what has another type', () => {
  expect(parseToolDetail({ name: 7, annotations: 'none', inputSchema: [] })).toEqual({
    name: '',
    description: '',
    kind: 'tool',
    isReadOnly: false,
    isDestructive: false,
    mayDestroy: true,
    inputSchema: {},
  });
});

it('lists arguments with their types', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The note' },
      mode: { enum: ['a', 'b'] },
      size: { type: ['integer', 'null'] },
      other: true,
    },
    required: ['id'],
  };
  expect(listArguments({ inputSchema })).toEqual([
    { name: 'id', type: 'string', isRequired: true, description: 'The note' },
    { name: 'mode', type: '"a" | "b"', isRequired: false, description: '' },
    { name: 'size', type: 'integer | null', isRequired: false, description: '' },
    { name: 'other', type: 'any', isRequired: false, description: '' },
  ]);
});
