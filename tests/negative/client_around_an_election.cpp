// expect: needs_an_exclusion__with_holds
// SPDX-License-Identifier: MIT
#include <caucus/layer/client.hpp>

#include <caucus/election/complete/afek_gafni.hpp>

#if CAUCUS_CONTROL
caucus::afek_gafni process{7};
#else
caucus::client process{caucus::afek_gafni{7}};
#endif
