import * as surface from '@gateway/events';
import { expect, it } from 'vitest';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    ...['EVENT_KINDS', 'EVENT_REASONS', 'EventRecorder', 'RECORDER_LIMITS', 'formatEventMessage'],
    ...['isEventMatch', 'parseEventQuery', 'parseStoredEvent'],
  ]);
});
