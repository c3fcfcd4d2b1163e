import { expect, it } from 'vitest';
import { summaryOf } from '../src/catalog-tool.ts';

it('is the first line, trimmed', () => {
  expect(summaryOf('  One.  \r\nTwo.')).toBe('One.');
  expect(summaryOf('\n\n  One.\nTwo.')).toBe('One.');
  expect(summaryOf('')).toBe('');
  expect(summaryOf(' \n ')).toBe('');
});

it('keeps 120 characters and truncates 121', () => {
  expect(summaryOf('a'.repeat(120))).toBe('a'.repeat(120));
  expect(summaryOf('a'.repeat(121))).toBe(`${'a'.repeat(120)}...`);
});

it('counts code points and cuts none apart', () => {
  expect(summaryOf('🚀'.repeat(120))).toBe('🚀'.repeat(120));
  expect(summaryOf('🚀'.repeat(121))).toBe(`${'🚀'.repeat(120)}...`);
  expect(summaryOf('🚀'.repeat(5e6))).toBe(`${'🚀'.repeat(120)}...`);
});
