import type { CliIo } from '../cli-io.ts';
import type { CallProgress } from '../client/gateway-client.ts';
import { escapeToLine } from '@gateway/service-host';
import { cutToWidth } from './text-width.ts';

/** Calls that take longer than this show that they are still running, in milliseconds. */
const TICK_MS = 1_000;

/** Shows on stderr how far a call has come. */
export interface ProgressLine {
  readonly report: (progress: CallProgress) => void;
  /** Leaves no trace on a terminal. */
  readonly end: () => void;
}

const CLEAR = '\r\u001B[K';

/** `3/10 message`, with what is there. */
const progressText = ({ progress, total, message }: CallProgress): string =>
  escapeToLine(
    [total === undefined ? `${progress}` : `${progress}/${total}`, message ?? '']
      .filter((part) => part !== '')
      .join(' '),
  );

/** On a terminal one line that is written over and over, with the seconds; elsewhere one line for each report. */
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
    stderr.write(`${CLEAR}${cutToWidth(`${seconds} s  ${latest}`, stderr.columns - 1)}`);
  };
  const timer = setInterval(draw, TICK_MS);
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
