import { createEventRecorder } from '@gateway/events';
import { describe, expect, it } from 'vitest';

const memory = (now: () => number) => createEventRecorder({ now, warn: () => undefined });

describe('createEventRecorder', () => {
  it('counts equal events of ten minutes as one, newest first', async () => {
    let time = 1_000;
    const recorder = memory(() => time);
    recorder.emit({ reason: 'MCPServerStarting', name: 'a' });
    recorder.emit({ reason: 'MCPServerStarted', name: 'a' });
    time = 2_000;
    recorder.emit({ reason: 'MCPServerStarting', name: 'a' });
    expect(await recorder.query({})).toEqual([
      {
        id: 3,
        kind: 'MCPServer',
        name: 'a',
        namespace: 'default',
        reason: 'MCPServerStarting',
        message: 'MCPServer a service is starting up',
        type: 'Normal',
        firstAt: 1_000,
        lastAt: 2_000,
        count: 2,
      },
      {
        id: 2,
        kind: 'MCPServer',
        name: 'a',
        namespace: 'default',
        reason: 'MCPServerStarted',
        message: 'MCPServer a service started successfully',
        type: 'Normal',
        firstAt: 1_000,
        lastAt: 1_000,
        count: 1,
      },
    ]);
  });
});
