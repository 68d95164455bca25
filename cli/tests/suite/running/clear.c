// An OpenGL program that clears its window and reads the pixels. Declarations are its own, so that no headers are needed.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void* symbol(const char* library, const char* name) {
    void* handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    void* found = handle ? dlsym(handle, name) : NULL;
    if (!found) {
        printf("%s has no %s\n", library, name);
        exit(2);
    }
    return found;
}

#define X11(type, name, ...) type (*name)(__VA_ARGS__) = symbol("libX11.so.6", #name)
#define GL(type, name, ...) type (*name)(__VA_ARGS__) = symbol("libGL.so.1", #name)

// XVisualInfo.
struct visual_info {
    void* visual;
    unsigned long id;
    int screen, depth, class;
    unsigned long red, green, blue;
    int colormap_size, bits_per_rgb;
};

int main(void) {
    X11(void*, XOpenDisplay, const char*);
    X11(unsigned long, XDefaultRootWindow, void*);
    X11(unsigned long, XCreateSimpleWindow, void*, unsigned long, int, int, unsigned, unsigned, unsigned, unsigned long, unsigned long);
    X11(int, XMapWindow, void*, unsigned long);
    X11(int, XSync, void*, int);
    GL(struct visual_info*, glXChooseVisual, void*, int, int*);
    GL(void*, glXCreateContext, void*, struct visual_info*, void*, int);
    GL(int, glXMakeCurrent, void*, unsigned long, void*);
    GL(void, glClearColor, float, float, float, float);
    GL(void, glClear, unsigned);
    GL(void, glReadPixels, int, int, int, int, unsigned, unsigned, void*);
    void* display = XOpenDisplay(NULL);
    if (!display)
        return 3;
    int attributes[] = {4 /* GLX_RGBA */, 8 /* GLX_RED_SIZE */, 8, 9, 8, 10, 8, 0};
    struct visual_info* visual = glXChooseVisual(display, 0, attributes);
    if (!visual)
        return 4;
    unsigned long window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 64, 32, 0, 0, 0);
    XMapWindow(display, window);
    XSync(display, 0);
    void* context = glXCreateContext(display, visual, NULL, 1);
    if (!context || !glXMakeCurrent(display, window, context))
        return 5;
    unsigned char pixels[16 * 8 * 4] = {0};
    glClearColor(1, 0.5f, 0, 1);
    glClear(0x4000 /* GL_COLOR_BUFFER_BIT */);
    glReadPixels(3, 5, 16, 8, 0x1908 /* GL_RGBA */, 0x1401 /* GL_UNSIGNED_BYTE */, pixels);
    int wrong = 0;
    for (int pixel = 0; pixel < 16 * 8; pixel++) {
        unsigned char* found = pixels + 4 * pixel;
        wrong += found[0] != 255 || (found[1] != 127 && found[1] != 128) || found[2] != 0;
    }
    printf("%d %d %d, %d wrong\n", pixels[0], pixels[1], pixels[2], wrong);
    return wrong != 0;
}
