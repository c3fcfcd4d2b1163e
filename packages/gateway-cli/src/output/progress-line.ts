import type { CliIo } from '../cli-io.ts';
import type { CallProgress } from '../client/gateway-client.ts';
import { escapeToLine } from '@gateway/service-host';
import { truncateToWidth } from './text-width.ts';

/** Interval at which the line of a running call is updated, in milliseconds. */
const UPDATE_MS = 1_000;

/** The progress of a call on stderr. */
export interface ProgressLine {
  readonly report: (progress: CallProgress) => void;
  /** Clears the line on a terminal. */
  readonly end: () => void;
}

const CLEAR = '\r\u001B[K';

/** Returns `3/10 message`, without the parts that are absent. */
const progressText = ({ progress, total, message }: CallProgress): string =>
  escapeToLine(
    [total === undefined ? `${progress}` : `${progress}/${total}`, message ?? '']
      .filter((part) => part !== '')
      .join(' '),
  );

/** Creates the progress output of a call: on a terminal one line that is updated, elsewhere one line for each report. */
export function progressLine({ stderr }: CliIo): ProgressLine {
  if (!stderr.isTerminal)
    return {
      report: (progress) => {
        stderr.write(`progress: ${progressText(progress)}\n`);
      },
      end: () => undefined,
    };
  const start = performance.now();
  let latest = 'running';
  let isShown = false;
  const draw = (): void => {
    const seconds = Math.round((performance.now() - start) / 1_000);
    isShown = true;
    stderr.write(`${CLEAR}${truncateToWidth(`${seconds} s  ${latest}`, stderr.columns - 1)}`);
  };
  const timer = setInterval(draw, UPDATE_MS);
  return {
    report: (progress) => {
      latest = progressText(progress);
      draw();
    },
    end: () => {
      clearInterval(timer);
      if (isShown) stderr.write(CLEAR);
    },
  };
}
