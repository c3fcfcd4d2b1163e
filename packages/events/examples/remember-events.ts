import { EventRecorder, type StoredEvent } from '@gateway/events';

/** Records three failures of a server, and queries the warnings. */
export const whatFailed = async (now: () => number): Promise<readonly StoredEvent[]> => {
  const recorder = new EventRecorder({ now, warn: console.warn });
  recorder.emit({ reason: 'MCPServerStarting', name: 'github' });
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    recorder.emit({ reason: 'MCPServerFailed', name: 'github', error: 'connection refused' });
  }
  return recorder.query({ type: 'Warning', limit: 10 });
};
