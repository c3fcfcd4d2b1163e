import { expect, it } from 'vitest';
import { formatCurlExample } from '../../src/reference/operations-reference.ts';

it('quotes an address as one shell argument', () => {
  expect(formatCurlExample('get_info', "https://a.example/it's")).toBe(
    String.raw`curl -sS 'https://a.example/it'\''s/api/v1/info'`,
  );
});
