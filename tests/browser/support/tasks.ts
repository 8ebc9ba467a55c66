// How long the page's own thread is busy at a stretch, in CPU time: other programs on the machine do not count.
import type { Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's CPU time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Longer than this, and a person notices: the limit of the Long Tasks API. */
export const LONG_TASK_MS = 50;

/** Runs `work` and gives the CPU milliseconds of the page's tasks, longest first. */
export async function taskTimes(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["toplevel"] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
  const main = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(thread));
  return traceEvents
    .filter((event) => event.name === "ThreadControllerImpl::RunTask" && event.tdur !== undefined && main.has(thread(event)))
    .map(({ tdur }) => Math.round(tdur! / 1000))
    .sort((a, b) => b - a);
}
