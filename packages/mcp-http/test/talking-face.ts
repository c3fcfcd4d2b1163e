import { createMcpHttp, serveHttp } from '../src/index.ts';
import type { McpHttp, McpService } from '../src/index.ts';
import type { McpHttpOptions } from '../src/http/mcp-http.ts';
import { talkingService, type TalkingService } from './talking-service.ts';

/** A served service that talks to its clients. */
export interface TalkingFace {
  readonly url: string;
  readonly port: number;
  readonly talking: TalkingService;
  readonly mcp: McpHttp;
  readonly errors: unknown[];
  readonly drain: (timeoutMs: number) => Promise<void>;
}

type TalkingFaceOptions = McpHttpOptions & {
  /** The service behind this face and others. */
  readonly talking?: TalkingService;
  readonly change?: (service: McpService) => McpService;
};

export const startTalkingFace = async (options: TalkingFaceOptions = {}): Promise<TalkingFace> => {
  const { talking = talkingService(), change = (service) => service, ...rest } = options;
  const errors: unknown[] = [];
  const onError = (error: unknown): number => errors.push(error);
  const mcp = createMcpHttp(change(talking.service), { ...rest, onError });
  const serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp, onError });
  const { port, drain } = serving;
  return { url: `${serving.url}/mcp`, port, talking, mcp, errors, drain };
};

/** Starts faces for a test file and ends them after each test. */
export const talkingFaces = (): {
  readonly start: typeof startTalkingFace;
  readonly end: () => Promise<void>;
} => {
  const faces: TalkingFace[] = [];
  return {
    start: async (options) => {
      const face = await startTalkingFace(options);
      faces.push(face);
      return face;
    },
    end: async () => {
      await Promise.all(faces.splice(0).map((face) => face.drain(0)));
    },
  };
};
