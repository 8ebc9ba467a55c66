/** Keeps the chart's numbers in step with the state: starts a computation, shows how far it is, and ends it when it is outdated. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Addnorm } from "../../lib/index.js";
import { computeDepth, knownDepth, type DepthProgress, type DepthResult } from "../../state/compute-depth.js";
import { stackAway } from "../../state/stack-client.js";
import type { State } from "../../state/schema.js";

export class DepthRunner implements ReactiveController {
  /** The last result that was complete; it stays until the next is. */
  result: DepthResult | undefined;
  progress: DepthProgress | undefined;
  /** A person ended the computation of the present state. */
  stopped = false;
  /** Why the present state cannot be computed. */
  failure = "";

  readonly #host: ReactiveControllerHost;
  #run: AbortController | undefined;
  #wanted: State | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#abort();
    this.#wanted = undefined;
  }

  /** Called with each state that is to be drawn. */
  follow(an: Addnorm, state: State): void {
    if (this.#wanted === state) return;
    this.#wanted = state;
    const known = knownDepth(state);
    if (known) {
      this.#abort();
      this.#settle({ result: known });
    } else void this.#start(an, state);
  }

  stop(): void {
    this.#abort();
    this.#settle({ stopped: true });
  }

  again(an: Addnorm): void {
    if (this.#wanted) void this.#start(an, this.#wanted);
  }

  #settle({ result = this.result, stopped = false, failure = "" }: { result?: DepthResult; stopped?: boolean; failure?: string }): void {
    this.result = result;
    this.stopped = stopped;
    this.failure = failure;
    this.progress = undefined;
    this.#host.requestUpdate();
  }

  #abort(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.progress = undefined;
  }

  async #start(an: Addnorm, state: State): Promise<void> {
    this.#abort();
    const run = (this.#run = new AbortController());
    this.stopped = false;
    this.failure = "";
    this.progress = { variant: state.depthVariants[0]!, part: 0 };
    // The frame that shows this comes first.
    await Promise.resolve();
    try {
      const result = await computeDepth(an, state, (x, config, options) => stackAway(an, x, config, options), run.signal, (progress) => {
        if (run !== this.#run) return;
        this.progress = progress;
        this.#host.requestUpdate();
      });
      if (run === this.#run) this.#settle({ result });
    } catch (error) {
      if (run === this.#run) this.#settle({ failure: error instanceof Error ? error.message : String(error) });
    }
  }
}
