import * as z from 'zod';

/** A client that has no such feature. The message is the reason. */
export class Absent extends Error {
  override readonly name = 'Absent';
}

/** How a connection is opened. */
export interface ConnectOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer of a person to the questions of servers. Without it, the client does not declare that it can ask. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** The schema of {@link ConnectionInfo}. */
export const connectionInfo = z.object({ server: z.string(), protocol: z.string() });
/** The facts that a client shows of a connection. */
export type ConnectionInfo = z.infer<typeof connectionInfo>;

/** The schema of {@link ToolResult}. */
export const toolResult = z.object({
  texts: z
    .array(z.string())
    .nullish()
    .transform((texts) => texts ?? []),
  images: z
    .array(z.object({ mimeType: z.string(), data: z.string() }))
    .nullish()
    .transform((images) => images ?? []),
  structured: z.unknown().optional(),
  isError: z
    .boolean()
    .nullish()
    .transform((isError) => isError === true),
  /** The number of progress notifications, when they were asked for. */
  progress: z.number().optional(),
});
/** The result of a tool, as a client returned it. */
export type ToolResult = Readonly<z.infer<typeof toolResult>>;

/** A call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Asks for progress notifications and counts them. */
  readonly progress?: boolean;
}

/** A client library or program, with one connection at a time. Every function rejects with {@link Absent} when the client lacks it. */
export interface Driver {
  readonly connect: (options: ConnectOptions) => Promise<ConnectionInfo>;
  readonly listTools: () => Promise<readonly string[]>;
  readonly callTool: (call: ToolCall) => Promise<ToolResult>;
  /** Starts a call without waiting for its end. */
  readonly startCall: (call: ToolCall) => Promise<void>;
  /** Cancels the started call. */
  readonly cancelCall: () => Promise<void>;
  readonly listResources: () => Promise<readonly string[]>;
  /** Returns the texts of a resource. */
  readonly readResource: (uri: string) => Promise<readonly string[]>;
  readonly listPrompts: () => Promise<readonly string[]>;
  /** Returns the texts of a prompt without arguments. */
  readonly getPrompt: (name: string) => Promise<readonly string[]>;
  /** Asks for notifications of changed tools, in a revision in which a client has to. */
  readonly watch: () => Promise<void>;
  /** Resolves after a notification of changed tools. */
  readonly waitForChange: () => Promise<void>;
  /** Closes the connection. */
  readonly close: () => Promise<void>;
  /** Ends the client. */
  readonly end: () => Promise<void>;
}

/** Why a client does not have a feature, by feature. */
export interface Limits {
  /** Progress notifications of calls. */
  readonly progress?: string;
  /** Answers to questions. */
  readonly answer?: string;
  /** Notifications of changed tools. */
  readonly watch?: string;
  /** Cancellation in revision 2026-07-28. */
  readonly cancelIn2026?: string;
}

/** A driver of a client that is known not to have some features: they are absent, whatever the driver could do. */
export function limited(driver: Driver, limits: Limits): Driver {
  let protocol = '';
  const absentIf = (reason: string | undefined, applies = true): void => {
    if (reason !== undefined && applies) throw new Absent(reason);
  };
  return {
    ...driver,
    connect: async (options) => {
      absentIf(limits.answer, options.answer !== undefined);
      const info = await driver.connect(options);
      ({ protocol } = info);
      return info;
    },
    callTool: async (call) => {
      absentIf(limits.progress, call.progress === true);
      return driver.callTool(call);
    },
    startCall: async (call) => {
      absentIf(limits.cancelIn2026, protocol >= '2026');
      await driver.startCall(call);
    },
    watch: async () => {
      absentIf(limits.watch);
      await driver.watch();
    },
  };
}
