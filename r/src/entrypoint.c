// R looks for this function; Rust registers its own.
void R_init_indistinct_extendr(void *dll);

void R_init_indistinct(void *dll) { R_init_indistinct_extendr(dll); }
