import { describe, expect, it } from 'vitest';
import { readConfigurationDefault } from '../../src/chart-schema.ts';

describe('the defaults of the gateway', () => {
  it('match the expectations of the templates', () => {
    expect(readConfigurationDefault('http.port')).toBe(8090);
    expect(readConfigurationDefault('http.requestTimeoutSeconds')).toBe(330);
  });

  it.each(['http.host', 'http.prt', 'http', 'http.port.default'])(
    'are no numbers where there is none: %s',
    (path) => {
      expect(() => readConfigurationDefault(path)).toThrow(`${path} has no number as its default`);
    },
  );
});
