import type { ClientId } from '@gateway/client-config';

/** Arguments of `gateway export`. */
export interface ExportArguments {
  readonly client: ClientId;
  readonly url: string;
  /** Let the client start a program instead of connecting to the URL. */
  readonly stdio?: true;
  /** The configuration directory of the program; without it the program connects to the URL. */
  readonly configDir?: string;
  readonly toolset?: string;
  /** The name of the gateway in the client. */
  readonly name: string;
  /** The program and its first arguments, which run this command line; this program when absent. */
  readonly command?: string;
  /** The directory of the project whose file is meant instead of the person's. */
  readonly project?: string;
  /** The file of the client, when it is not in the usual place. */
  readonly file?: string;
  readonly write?: true;
  /** Replace an entry of this name that is another server. */
  readonly replace?: true;
}
