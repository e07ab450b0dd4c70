import {AssertionError} from 'node:assert';

/** A story did not hold. The message is what `watchlab` printed, with the line that plays it again. */
export class StoryFailed extends AssertionError {}

/** A fault as in a story, as text or as an object: `{fail_list: {answer: 'internal', times: 1}}`. */
export type Fault = string | Record<string, unknown>;

export interface Server {
  readonly url: string;
  readonly kubeconfig: string;
  readonly environment: {KUBECONFIG: string; WATCHLAB_URL: string};
  addFault(fault: Fault): Promise<unknown>;
  heal(name?: string | number): Promise<unknown>;
  faults(): Promise<any[]>;
  exchanges(parameters?: Record<string, string>): Promise<any[]>;
  objects(parameters?: Record<string, string>): Promise<any[]>;
  close(): Promise<void>;
}

/** The path of the program. */
export function program(): string;
/** Plays a story, a folder of them, or one that is shipped, by its name. Resolves to what was printed. */
export function run(story: string, ...options: string[]): Promise<string>;
/** Serves a story in real time to a command, a list of words. Resolves to what both printed. */
export function serve(story: string, command: string[], ...options: string[]): Promise<string>;
/** Starts a server with faults; with the context of a test of `node:test` it ends with that test. */
export function server(test?: {after(fn: () => unknown): void} | null, options?: {faults?: Fault[]; options?: string[]}): Promise<Server>;
