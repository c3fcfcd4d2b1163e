import { expect, it } from 'vitest';
import { formatToolSummary } from '../src/catalog-tool.ts';

it('is the first line, trimmed', () => {
  expect(formatToolSummary('  One.  \r\nTwo.')).toBe('One.');
  expect(formatToolSummary('\n\n  One.\nTwo.')).toBe('One.');
  expect(formatToolSummary('')).toBe('');
  expect(formatToolSummary(' \n ')).toBe('');
});

it('keeps 120 characters and truncates 121', () => {
  expect(formatToolSummary('a'.repeat(120))).toBe('a'.repeat(120));
  expect(formatToolSummary('a'.repeat(121))).toBe(`${'a'.repeat(120)}...`);
});

it('counts code points and cuts none apart', () => {
  expect(formatToolSummary('🚀'.repeat(120))).toBe('🚀'.repeat(120));
  expect(formatToolSummary('🚀'.repeat(121))).toBe(`${'🚀'.repeat(120)}...`);
  expect(formatToolSummary('🚀'.repeat(5e6))).toBe(`${'🚀'.repeat(120)}...`);
});
