/** Styles of the depth view. */
import { css } from "lit";
import { segmentedStyles } from "../parts/segmented.js";
import { sliderStyles } from "../parts/slider.js";
import { stepperStyles } from "../parts/stepper.js";
import { baseStyles } from "../parts/theme.js";
import { findingsStyles } from "./findings.js";
import { swatchStyles } from "./line-styles.js";
import { progressStyles } from "./progress.js";
import { questionStyles } from "./question.js";
import { readingStyles } from "./reading.js";
import { valuesTableStyles } from "./values-table.js";
import { variantListStyles } from "./variant-list.js";

export const depthStyles = [
  baseStyles, segmentedStyles, sliderStyles, stepperStyles, swatchStyles, variantListStyles, progressStyles, findingsStyles, readingStyles, valuesTableStyles, questionStyles, css`
  .root { container-type: inline-size; }
  .view { display: grid; gap: 1.15em; }
  .strip { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto; gap: 0.6em 2em; align-items: start; max-width: 62em; }
  .strip .choice { display: grid; gap: 0.15em; justify-content: start; }
  .strip .choice > span { font-size: 0.9em; }
  .cards { display: grid; gap: 1.15em; grid-template-columns: minmax(0, 1fr); align-items: start; }
  .card { container-type: inline-size; }
  .card-head { align-items: center; }
  .card-head .segmented { flex: 0 0 auto; }
  addnorm-depth-chart, .waiting { display: block; min-height: 22em; }
  .beside { display: grid; gap: 1.15em; min-width: 0; }
  @container (min-width: 56em) { .cards { grid-template-columns: minmax(0, 1fr) 21em; gap: 1.75em; } }
  @container (max-width: 52em) { .strip { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
  @container (max-width: 36em) { .strip { grid-template-columns: minmax(0, 1fr); } .strip .choice { justify-content: stretch; } }
`];
