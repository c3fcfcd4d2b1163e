import { eventText, type GatewayEvent } from '@gateway/events';
import { describe, expect, it } from 'vitest';

const server = { name: 'github', namespace: 'default' } as const;
const workflow = { name: 'deploy', namespace: 'default' } as const;

const texts: readonly (readonly [GatewayEvent, string])[] = [
  [
    { reason: 'MCPServerCreated', ...server },
    'MCPServer github successfully created in namespace default',
  ],
  [
    { reason: 'MCPServerFailed', ...server, error: 'spawn ENOENT' },
    'MCPServer github operation failed: spawn ENOENT',
  ],
  [{ reason: 'MCPServerFailed', ...server, error: '' }, 'MCPServer github operation failed'],
  [
    {
      reason: 'WorkflowExecutionCompleted',
      ...workflow,
      steps: 3,
      durationMs: 61_500,
    },
    'Workflow deploy execution completed successfully (3 steps) in 1m1.5s',
  ],
];

describe('eventText', () => {
  it.each(texts)('%o', (event, text) => expect(eventText(event)).toBe(text));
});
