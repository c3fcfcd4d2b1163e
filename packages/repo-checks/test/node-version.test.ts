import { describe, expect, it } from 'vitest';
import { nodeVersionRefusal } from '../bootstrap/node-version.mjs';

describe('the Node version', () => {
  for (const version of ['v20.19.0', 'v20.20.2', 'v22.13.0', 'v24.0.0', 'v25.1.0']) {
    it(`${version} is good`, () => expect(nodeVersionRefusal(version)).toBeUndefined());
  }

  for (const version of ['v8.0.0', 'v18.20.4', 'v20.18.9', 'v21.7.0', 'v22.12.0', 'v23.11.0']) {
    it(`${version} is refused`, () => expect(nodeVersionRefusal(version)).toBeTypeOf('string'));
  }

  it('is refused with what is needed and what is there', () => {
    expect(nodeVersionRefusal('v18.20.4')).toBe(
      'This repository needs Node 20.19 or later (20.19+, 22.13+ or 24+); this is 18.20.4. Install a newer Node from https://nodejs.org and run the command again.',
    );
  });
});
