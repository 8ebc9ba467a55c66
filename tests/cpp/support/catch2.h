// Catch2, whichever of its versions 2 and 3 the machine has.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_CATCH2_H_
#define ADDNORM_TESTS_CPP_SUPPORT_CATCH2_H_

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#endif  // ADDNORM_TESTS_CPP_SUPPORT_CATCH2_H_
