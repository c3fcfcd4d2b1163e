import * as surface from '@gateway/events';
import { expect, it } from 'vitest';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'EVENT_KINDS',
    'EVENT_REASONS',
    'RECORDER_LIMITS',
    'createEventRecorder',
    'formatEventMessage',
    'isEventMatch',
    'parseEventQuery',
    'parseStoredEvent',
  ]);
});
